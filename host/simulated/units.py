"""Transient units on simulated disks: their progress follows from the time, without a process."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from hashlib import sha256

import msgspec

from host.base import Result
from host.commands.starting import START_S
from host.commands.units import (
    REPORTS,
    Kind,
    ListUnits,
    ReadBurnIn,
    StartBlink,
    StartBurnIn,
    StopUnit,
    UnitSaid,
    unit_name,
)
from host.inventory import BurnIn, Throughput
from host.inventory.burn_in import Phase
from host.programs import words
from host.simulated.blocks.devices import Device, busy, devices
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import BurnInRun
from host.simulated.state import Disk, Machine

_LASTS_S: tuple[tuple[Phase, float], ...] = (("self-test", 20.0), ("write", 50.0), ("verify", 50.0))
BURN_IN_S = sum(seconds for _, seconds in _LASTS_S)
_POINTS = 200
_OUTER, _INNER, _SOLID = 168e6, 79e6, 460e6  # bytes a second
_USED = "Something uses it: a file system, an array, a pool or another program"
_WEAK_AT = 0.37  # of the disk


def start_blink(machine: Machine, command: StartBlink) -> Result:
    """systemd-run: ends well once the program has found its disk."""
    _refuse_second(machine, "blink", command.serial)
    device = _device(machine, "blink", command.disk, command.serial)
    if device.disk.smart and device.disk.smart.asleep:
        raise _gave_up(
            machine, "blink", command.serial, f"{command.disk} is asleep, and is not woken for this."
        )
    machine.blinking[command.serial] = time.time() + command.seconds
    return _running_as("blink", command.serial)


def start_burn_in(machine: Machine, command: StartBurnIn) -> Result:
    """systemd-run: ends well once the program has found its disk blank, and holds it."""
    _refuse_second(machine, "burn-in", command.serial)
    device = _device(machine, "burn-in", command.disk, command.serial)
    if busy(device):
        raise _gave_up(machine, "burn-in", command.serial, f"{command.disk} cannot be opened. {_USED}.")
    contents = [device.content, *(part.content for part in device.disk.partitions)]
    numbers = [None, *(part.number for part in device.disk.partitions)]
    held = [
        content.fstype if content else f"partition {number}"
        for content, number in zip(contents, numbers, strict=True)
        if content or number
    ]
    if held:
        raise _gave_up(machine, "burn-in", command.serial, f"{command.disk} is not blank: {', '.join(held)}.")
    device.disk.remains, device.disk.table = {}, None
    machine.burn_ins[command.serial] = BurnInRun(started=time.time(), weak=device.disk.serial in machine.weak)
    return _running_as("burn-in", command.serial)


def stop_unit(machine: Machine, command: StopUnit) -> Result:
    """systemctl stop."""
    now, name = time.time(), unit_name(command.kind, command.serial)
    if command.serial not in _running(machine, command.kind, now):
        raise Refusal(f"Failed to stop {name}: Unit {name} not loaded.\n", exit_status=5)
    if command.kind == "blink":
        del machine.blinking[command.serial]
    else:
        run = machine.burn_ins[command.serial]
        run.ended, run.end = now, "stopped"
    return done()


def list_units(machine: Machine) -> str:
    """`systemctl list-units --all --type=service --output=json`: units that ended are gone."""
    now = time.time()
    kinds: tuple[Kind, ...] = ("blink", "burn-in")
    rows = [
        {
            "unit": unit_name(kind, serial), "load": "loaded", "active": "active", "sub": "running",
            "description": f"Nasweb {kind} of {serial}",
        }
        for kind in kinds
        for serial in sorted(_running(machine, kind, now))
    ]  # fmt: skip
    return msgspec.json.encode(rows).decode() + "\n"


def said(machine: Machine, command: UnitSaid) -> str:
    """journalctl: the last line of the unit's program."""
    at, why = machine.refused.get(unit_name(command.kind, command.serial), (0.0, ""))
    return f"{why}\n" if time.time() - at < START_S else ""


def read_burn_in(machine: Machine, command: ReadBurnIn) -> Result:
    """cat of the report."""
    path = f"{REPORTS}/{command.serial}.json"
    run = machine.burn_ins.get(command.serial)
    disk = next((disk for disk in machine.disks if disk.serial == command.serial), None)
    if run is None or disk is None:
        raise Refusal(f"cat: {path}: No such file or directory\n")
    return done(msgspec.json.encode(report(run, disk, time.time())).decode())


def burning(machine: Machine, disk: Disk) -> bool:
    """Whether a burn-in holds the disk."""
    return disk.serial in _running(machine, "burn-in", time.time())


def pulled(machine: Machine, disk: Disk) -> None:
    """What works on the disk ends: reading and writing fail."""
    machine.blinking.pop(disk.serial, None)
    if burning(machine, disk):
        run = machine.burn_ins[disk.serial]
        run.ended, run.end = time.time(), "pulled"


def restarted(machine: Machine) -> None:
    """No unit outlives the machine's restart. What a burn-in had last written of itself stays as it was."""
    now = time.time()
    machine.blinking = {}
    for serial in _running(machine, "burn-in", now):
        run = machine.burn_ins[serial]
        run.ended, run.end = now, "cut off"


def pass_time(machine: Machine, seconds: float) -> None:
    """Let everything under way be so much further."""
    machine.blinking = {serial: end - seconds for serial, end in machine.blinking.items()}
    for run in machine.burn_ins.values():
        run.started -= seconds
        run.ended = None if run.ended is None else run.ended - seconds


def report(run: BurnInRun, disk: Disk, now: float) -> BurnIn:
    """What the program has written by `now`, a Unix time."""
    at = min(now, run.started + BURN_IN_S, now if run.ended is None else run.ended)
    phase, share = _phase(at - run.started)
    over = run.end in {"stopped", "pulled"} or phase == "done"
    written, read = _shares(phase, share)
    facts = BurnIn(
        serial=disk.serial,
        phase=phase,
        percent=round(100 * share, 1),
        started_at=_iso(run.started),
        updated_at=_iso(at),
        finished_at=_iso(at) if over else None,
        size_bytes=disk.size,
        writing=_curve(disk, "write", written),
        reading=_curve(disk, "verify", read),
    )
    return _judged(facts, run, disk) if over else facts


def _judged(facts: BurnIn, run: BurnInRun, disk: Disk) -> BurnIn:
    if run.end == "stopped":
        return msgspec.structs.replace(
            facts, verdict="stopped", words=words.stopped(facts.phase, facts.percent)
        )
    if run.end == "pulled":
        if facts.phase == "self-test":  # the first write finds out
            facts = msgspec.structs.replace(facts, phase="write", percent=0.0)
        offset = int(disk.size * facts.percent / 100) >> 22 << 22
        text = words.broken_off(facts.phase, offset, "Input/output error")
        return msgspec.structs.replace(facts, verdict="failed", words=text)
    if run.weak:
        first = [int(disk.size * _WEAK_AT) >> 12 << 12]
        text = words.differing(3, first, None)
        return msgspec.structs.replace(facts, verdict="failed", mismatches=3, words=text)
    return msgspec.structs.replace(facts, verdict="passed")


def _phase(elapsed: float) -> tuple[Phase, float]:
    for phase, seconds in _LASTS_S:
        if elapsed < seconds:
            return phase, max(0.0, elapsed / seconds)
        elapsed -= seconds
    return "done", 1.0


def _shares(phase: Phase, share: float) -> tuple[float, float]:
    match phase:
        case "self-test":
            return 0.0, 0.0
        case "write":
            return share, 0.0
        case "verify":
            return 1.0, share
        case "done":
            return 1.0, 1.0


def _curve(disk: Disk, phase: Phase, share: float) -> tuple[Throughput, ...]:
    """Outer tracks are longer, so a turning disk is fastest at its start; every disk a little different."""
    points = []
    for index in range(int(share * _POINTS)):
        at = index / _POINTS
        noise = sha256(f"{disk.serial} {phase} {index}".encode()).digest()[0] / 255
        # The radius shrinks so that equal areas hold equal data: its square goes down in a straight line.
        base = (_OUTER**2 + (_INNER**2 - _OUTER**2) * at) ** 0.5 if disk.rotational else _SOLID
        speed = base * (0.97 + 0.03 * noise) * (0.98 if phase == "write" else 1.0)
        points.append(Throughput(offset_bytes=int(disk.size * at), bytes_per_second=round(speed)))
    return tuple(points)


def _running(machine: Machine, kind: Kind, now: float) -> set[str]:
    if kind == "blink":
        return {serial for serial, end in machine.blinking.items() if now < end}
    runs = machine.burn_ins.items()
    return {serial for serial, run in runs if run.ended is None and now < run.started + BURN_IN_S}


def _device(machine: Machine, kind: Kind, link: str, serial: str) -> Device:
    device = devices(machine).get(link)
    if device is None:
        raise _gave_up(machine, kind, serial, f"{link} cannot be opened. No such file or directory.")
    if device.disk.serial != serial:
        why = f"{link} leads to the disk with serial {device.disk.serial}, not to {serial}."
        raise _gave_up(machine, kind, serial, why)
    return device


def _refuse_second(machine: Machine, kind: Kind, serial: str) -> None:
    if serial in _running(machine, kind, time.time()):
        name = unit_name(kind, serial)
        there = f"Unit {name} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")


def _gave_up(machine: Machine, kind: Kind, serial: str, why: str) -> Refusal:
    """What systemd-run says; `why` goes to the journal."""
    name = unit_name(kind, serial)
    machine.refused[name] = time.time(), why
    return Refusal(
        f'Job for {name} failed.\nSee "systemctl status {name}" and "journalctl -xeu {name}" for details.\n'
    )


def _running_as(kind: Kind, serial: str) -> Result:
    name = unit_name(kind, serial)
    invocation = sha256(f"{name} {time.time()}".encode()).hexdigest()[:32]
    return done(stderr=f"Running as unit: {name}; invocation ID: {invocation}\n")


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS = (
    always(ListUnits, list_units)
    | on(ReadBurnIn, read_burn_in)
    | on(UnitSaid, said)
    | on(StartBlink, start_blink)
    | on(StartBurnIn, start_burn_in)
    | on(StopUnit, stop_unit)
)

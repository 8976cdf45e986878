"""A simulated system that moves onto a boot pair. Copy and restart progress with the time."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from host.base import Result
from host.commands.system.converting import (
    ARRAY,
    LOADERS,
    REPORT,
    ROOT_START_MIB,
    UNIT,
    ConvertRuns,
    ConvertSaid,
    ForgetConverting,
    ReadBootNotes,
    RestartIntoCopy,
    StartConverting,
    StopConverting,
    WriteBootTable,
)
from host.inventory import Conversion
from host.simulated import units
from host.simulated.arrays.array import Array
from host.simulated.blocks.devices import MIB, RAID_TYPE, SECTOR, busy, devices
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import ConversionRun
from host.simulated.state import Machine, Partition, Signature
from host.simulated.system.boot_pair import BIOS_TYPE, ESP_TYPE

COPY_S, RESTART_S = 60.0, 20.0
_BACKUP_TABLE = 33  # sectors at the end that the second copy of a GPT takes
_CUT_OFF = "It was stopped. The system runs as before."


def due(machine: Machine) -> bool:
    """Whether the machine is to start from the copy."""
    run = machine.conversion
    if run is None or run.restarted is None or run.refused:
        return False
    return machine.now() >= run.restarted + RESTART_S


def settle(machine: Machine) -> None:
    """The machine has started: from the copy, or from the old system where that one does not start."""
    run = machine.conversion
    if run is None or not due(machine):
        return
    array = _array(machine, run.array)
    units.restarted(machine)
    if machine.copy_refuses or array is None:
        run.refused = True
        return
    machine.booted = machine.now()
    for disk in machine.disks:
        for part in disk.partitions:
            if part.content is not None and part.content.holder is None:
                system = {"/", "/boot", "/boot/efi", "/home", "/var", "[SWAP]"}
                part.content.mountpoints = [p for p in part.content.mountpoints if p not in system]
    content = machine.holders[array.kname].content
    if content is not None:
        content.mountpoints, content.used = ["/"], run.total
    machine.loaders = [member.serial for member in array.members]
    machine.conversion = None


def _table(machine: Machine, command: WriteBootTable) -> Result:
    device = devices(machine).get(command.disk)
    if device is None:
        raise Refusal(f"Failed to find whole block device for '{command.disk}': No such file or directory\n")
    if busy(device):
        raise Refusal("This disk is currently in use - repartitioning is probably a bad idea.\n")
    disk = device.disk
    if (ROOT_START_MIB + command.root_mib) * MIB // SECTOR + _BACKUP_TABLE > disk.size // SECTOR:
        raise Refusal("sfdisk: failed to add #3 partition: Numerical result out of range\n")
    places = ((1, 1, BIOS_TYPE), (2, 128, ESP_TYPE), (ROOT_START_MIB, command.root_mib, RAID_TYPE))
    disk.table, disk.content, disk.remains = "gpt", None, {}
    disk.partitions = [
        Partition(number=number, start=start * MIB // SECTOR, size=size * MIB, parttype=kind,
                  partuuid=machine.uuid())
        for number, (start, size, kind) in enumerate(places, 1)
    ]  # fmt: skip
    return done()


def _start(machine: Machine, command: StartConverting) -> Result:
    array = _ready(machine, command.disk)
    root = next((content for content in _contents(machine) if "/" in content.mountpoints), None)
    if root is None:
        raise _gave_up(machine, "The running system is on no partition of one disk.")
    machine.conversion = ConversionRun(
        array=array.uuid, disk=command.disk, started=machine.now(), total=root.used
    )
    return done(stderr=f"Running as unit: {UNIT}\n")


def _restart(machine: Machine, command: RestartIntoCopy) -> Result:
    _ready(machine, command.disk)
    run = machine.conversion
    if run is None or machine.now() < run.started + COPY_S or run.stopped is not None:
        raise _gave_up(machine, "There is no whole copy of the system.")
    run.restarted, run.refused = machine.now(), False
    return done(stderr=f"Running as unit: {UNIT}\n")


def _ready(machine: Machine, disk: str) -> Array:
    if runs(machine):
        raise Refusal(f"Failed to start transient service unit: Unit {UNIT} was already loaded.\n")
    array = next((one for one in machine.arrays.values() if one.name == f"any:{ARRAY}"), None)
    content = machine.holders[array.kname].content if array is not None else None
    if array is None or disk not in devices(machine) or content is None or content.fstype != "ext4":
        raise _gave_up(machine, "The second half is not prepared.")
    return array


def _stop(machine: Machine) -> Result:
    run = machine.conversion
    if run is None or not runs(machine):
        raise Refusal(f"Failed to stop {UNIT}: Unit {UNIT} not loaded.\n", exit_status=5)
    run.stopped, run.restarted = machine.now(), None
    return done()


def _notes(machine: Machine) -> Result:
    lines = [f"{LOADERS}/{serial}\0GRUB\n" for serial in machine.loaders]
    run = machine.conversion
    if run is not None:
        lines.append(f"{REPORT}\0{msgspec.json.encode(_report(machine, run)).decode()}\n")
    return Result(exit=0 if lines else 1, stdout="".join(lines))


def _report(machine: Machine, run: ConversionRun) -> Conversion:
    share = min(1.0, ((run.stopped or machine.now()) - run.started) / COPY_S)
    report = Conversion(
        state="copied" if share >= 1 else "copying",
        array=run.array,
        disk=run.disk.rpartition("/")[2],
        done_bytes=int(run.total * share),
        total_bytes=run.total,
        started_at=_iso(run.started),
        updated_at=_iso(machine.now()),
    )
    if run.restarted is not None:
        return msgspec.structs.replace(report, state="restarting")
    if run.stopped is not None and share < 1:
        return msgspec.structs.replace(report, state="stopped", words=_CUT_OFF)
    return report


def _forget(machine: Machine) -> None:
    machine.conversion = None


def _list_runs(machine: Machine) -> str:
    row = {"unit": UNIT, "load": "loaded", "active": "active", "sub": "running", "description": ""}
    return msgspec.json.encode([row] if runs(machine) else []).decode() + "\n"


def _reason(machine: Machine) -> str:
    why = machine.refused.get(UNIT, (0.0, ""))[1]
    return f"{why}\n" if why else ""


def runs(machine: Machine) -> bool:
    """Whether the unit is there."""
    run = machine.conversion
    if run is None or run.stopped is not None:
        return False
    if run.restarted is not None:
        return machine.now() < run.restarted + RESTART_S
    return machine.now() < run.started + COPY_S


def _array(machine: Machine, uuid: str) -> Array | None:
    return next((one for one in machine.arrays.values() if one.uuid == uuid), None)


def _contents(machine: Machine) -> list[Signature]:
    return [part.content for disk in machine.present() for part in disk.partitions if part.content]


def _gave_up(machine: Machine, why: str) -> Refusal:
    """What systemd-run says; `why` goes to the journal."""
    machine.refused[UNIT] = machine.now(), why
    return Refusal(
        f'Job for {UNIT} failed.\nSee "systemctl status {UNIT}" and "journalctl -xeu {UNIT}" for details.\n'
    )


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS = (
    on(WriteBootTable, _table)
    | on(StartConverting, _start)
    | on(RestartIntoCopy, _restart)
    | always(StopConverting, _stop)
    | always(ForgetConverting, _forget)
    | always(ReadBootNotes, _notes)
    | always(ConvertRuns, _list_runs)
    | always(ConvertSaid, _reason)
)

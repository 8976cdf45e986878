"""zpool scrub, clear, trim, initialize, upgrade, checkpoint and set on simulated pools.

The words of refusals are those in OpenZFS 2.3.9's programs; where they are not in tests/transcripts, which
of them comes is read from its source.
"""

from __future__ import annotations

import time
from typing import Literal

import msgspec

from host import typed
from host.base import Result
from host.commands.pools.care import (
    ZpoolCheckpoint,
    ZpoolClear,
    ZpoolInitialize,
    ZpoolScrub,
    ZpoolSet,
    ZpoolTrim,
    ZpoolUpgrade,
)
from host.simulated.blocks.devices import Device
from host.simulated.datasets.properties import BadProperty
from host.simulated.handlers import on
from host.simulated.pools import events, properties
from host.simulated.pools.clock import filled, scanned, start_scan
from host.simulated.pools.faults import revive
from host.simulated.pools.tree import device_of, find, opened
from host.simulated.refusal import Refusal, done
from host.simulated.state import Checkpoint, Filling, Machine, Pool, Vdev
from host.simulated.vdevs import all_leaves, leaves, root_health

_VERBS = {"start": "scrub", "pause": "pause scrubbing", "stop": "cancel scrubbing"}


def scrub(machine: Machine, command: ZpoolScrub) -> Result:
    """zpool scrub: starts, or goes on; -p pauses; -s stops."""
    failing = f"cannot {_VERBS[command.action]} {command.name}"
    pool, now = opened(machine, command.name, failing), time.time()
    scan = pool.scan
    running = scan is not None and scan.state == "SCANNING"
    if scan is None or not running or scan.function != "SCRUB":
        if command.action == "pause":
            return done()  # without a word
        if command.action == "stop":
            raise Refusal(f"{failing}: there is no active scrub\n")
        if running:
            raise Refusal(f"{failing}: currently resilvering\n")
        start_scan(machine, pool, "SCRUB")
        return done()
    match command.action:
        case "start" if scan.paused:
            scan.paused_s += now - scan.paused
            scan.paused, scan.since = 0.0, now
            events.change(machine, pool, "scrub_resume")
        case "start":
            raise Refusal(f"{failing}: currently scrubbing; use 'zpool scrub -s' to cancel scrub\n")
        case "pause" if scan.paused:
            raise Refusal(f"{failing}: scrub is paused; use 'zpool scrub' to resume scrub\n")
        case "pause":
            scan.done, scan.paused = scanned(pool, scan, now), now
            events.change(machine, pool, "scrub_paused")
        case "stop":
            scan.done = scanned(pool, scan, now)
            scan.state, scan.finished, scan.paused = "CANCELED", now, 0.0
            events.change(machine, pool, "scrub_abort")
    return done()


def clear(machine: Machine, command: ZpoolClear) -> Result:
    """zpool clear: counters to 0, failed devices tried again, and a suspended pool goes on if it can."""
    pool = machine.pools.get(command.name)
    if pool is None:
        raise Refusal(f"cannot open '{command.name}': no such pool\n")
    failing = f"cannot clear errors for {command.vdev or command.name}"
    chosen = list(all_leaves(pool))
    if command.vdev is not None:
        place = find(pool, command.vdev, failing)
        if place.top.role == "spare":
            raise Refusal(f"{failing}: device is reserved as a hot spare\n")
        chosen = list(leaves(place.vdev))
    for leaf in chosen:
        leaf.read_errors = leaf.write_errors = leaf.checksum_errors = 0
    if command.vdev is None:
        pool.damaged = []
    for leaf in all_leaves(pool):
        leaf.unnoticed = False
    was_suspended, pool.suspended = pool.suspended, False
    events.change(machine, pool, "vdev_clear", chosen[0] if command.vdev else None)
    states = {"FAULTED", "REMOVED", "UNAVAIL"} if was_suspended else {"FAULTED", "UNAVAIL"}
    revive(machine, pool, [leaf for leaf in chosen if leaf.state in states])
    if root_health(pool).state == "UNAVAIL":
        pool.suspended = True
        raise Refusal(f"{failing}: I/O error\n")
    return done()


def trim(machine: Machine, command: ZpoolTrim) -> Result:
    """zpool trim: only what is no turning disk can do it here."""
    failing = "cannot trim"
    pool = opened(machine, command.name, f"{failing} '{command.name}'")
    wanted = _leaves(pool, command.vdev, failing)
    able = [leaf for leaf in wanted if trims(device_of(machine, pool, leaf))]
    if not able and command.vdev is None:
        raise Refusal(f"{failing}: no devices in pool support trim operations\n", exit_status=255)
    if not able:
        text = "trim operations are not supported by this device"
        raise Refusal(f"{failing} '{command.vdev}': {text}\n", exit_status=255)
    _fill(able, command, "trim", failing)
    return done()


def trims(device: Device | None) -> bool:
    """Whether a device supports trim."""
    return device is not None and not device.disk.rotational and not device.disk.removable


def initialize(machine: Machine, command: ZpoolInitialize) -> Result:
    """zpool initialize."""
    failing = "cannot initialize"
    pool = opened(machine, command.name, f"{failing} '{command.name}'")
    _fill(_leaves(pool, command.vdev, failing), command, "initialize", failing)
    return done()


def _leaves(pool: Pool, vdev: str | None, failing: str) -> list[Vdev]:
    if vdev is None:
        return [
            leaf
            for leaf in all_leaves(pool)
            if leaf.state == "ONLINE" and leaf.role not in {"spare", "cache"}
        ]
    place = find(pool, vdev, f"{failing} '{vdev}'", exit_status=255)
    if place.vdev.children:
        # EINVAL of the kernel.
        raise Refusal(f"{failing} '{vdev}': invalid vdev configuration\n", exit_status=255)
    if place.vdev.state != "ONLINE":
        raise Refusal(f"{failing} '{vdev}': no such device in pool\n", exit_status=255)
    return [place.vdev]


def _fill(
    wanted: list[Vdev],
    command: ZpoolTrim | ZpoolInitialize,
    what: Literal["trim", "initialize"],
    failing: str,
) -> None:
    now = time.time()
    refused: list[str] = []
    doing, noun = ("trimming", "trim") if what == "trim" else ("initializing", "initialization")
    for leaf in wanted:
        filling: Filling | None = getattr(leaf, what)
        active = filling is not None and filling.state == "ACTIVE"
        shown = command.vdev or leaf.path
        if command.action == "start":
            if active:
                refused.append(f"{failing} '{shown}': currently {doing}\n")
                continue
            before = filling.done if filling and filling.state == "SUSPENDED" else 0
            setattr(leaf, what, Filling(state="ACTIVE", since=now, done=before))
            continue
        if filling is None or not (active or (filling.state == "SUSPENDED" and command.action == "cancel")):
            refused.append(f"{failing} '{shown}': there is no active {noun}\n")
            continue
        filling.done = filled(leaf, filling, now)
        filling.state, filling.since = "SUSPENDED" if command.action == "suspend" else "CANCELED", now
    if refused:
        raise Refusal("".join(refused), exit_status=255)


def upgrade(machine: Machine, command: ZpoolUpgrade) -> Result:
    """zpool upgrade of one pool."""
    pool = opened(machine, command.name, f"cannot upgrade '{command.name}'")
    text = "This system supports ZFS pool feature flags.\n\n"
    if not pool.disabled:
        ready = "already has all supported and requested features enabled"
        return done(f"{text}Pool '{pool.name}' {ready}.\n")
    names = "".join(f"  {name}\n" for name in pool.disabled)
    pool.disabled = []
    return done(f"{text}Enabled the following features on '{pool.name}':\n{names}\n")


def checkpoint(machine: Machine, command: ZpoolCheckpoint) -> Result:
    """zpool checkpoint, and -d."""
    failing = f"cannot checkpoint '{command.name}'"
    if command.discard:
        failing = f"cannot discard checkpoint in '{command.name}'"
    pool = opened(machine, command.name, failing)
    if command.discard:
        if pool.checkpoint is None:
            raise Refusal(f"{failing}: checkpoint does not exist\n")
        pool.checkpoint = None
        return done()
    if pool.checkpoint is not None:
        raise Refusal(f"{failing}: checkpoint exists\n")
    if pool.removal and pool.removal.state == "SCANNING":
        raise Refusal(f"{failing}: device removal in progress\n")
    if pool.expansion and pool.expansion.state == "SCANNING":
        raise Refusal(f"{failing}: raidz expansion in progress\n")
    kept = {name: msgspec.json.encode(dataset) for name, dataset in pool.datasets.items()}
    pool.checkpoint = Checkpoint(
        taken=time.time(),
        datasets={name: typed.decode(text, type(pool.datasets[name])) for name, text in kept.items()},
        values=dict(pool.values),
    )
    return done()


def set_value(machine: Machine, command: ZpoolSet) -> Result:
    """zpool set of one property."""
    failing = f"cannot set property for '{command.name}'"
    pool = opened(machine, command.name, failing)
    name, value = command.property, command.value
    if name.startswith("feature@"):
        feature = name.removeprefix("feature@")
        if feature not in properties.FEATURES:
            raise Refusal(f"{failing}: invalid feature '{feature}'\n")
        if value != "enabled":
            text = f"property '{name}' can only be set to 'disabled' at creation time"
            raise Refusal(f"{failing}: {text}\n")
        pool.disabled = [one for one in pool.disabled if one != feature]
        return done()
    if name in {"altroot", "readonly"}:
        when = "during pool creation or import" if name == "altroot" else "at import time"
        raise Refusal(f"{failing}: property '{name}' can only be set {when}\n")
    if not properties.exists(name):
        raise Refusal(f"{failing}: invalid property '{name}'\n")
    try:
        properties.check_known({name: value})
        pool.values[name] = properties.checked(name, value)
    except BadProperty as error:
        raise Refusal(f"{failing}: {error}\n") from None
    if name in {"cachefile", "comment"} and value == "":
        pool.values.pop(name)
    return done()


HANDLERS = (
    on(ZpoolCheckpoint, checkpoint)
    | on(ZpoolClear, clear)
    | on(ZpoolInitialize, initialize)
    | on(ZpoolScrub, scrub)
    | on(ZpoolSet, set_value)
    | on(ZpoolTrim, trim)
    | on(ZpoolUpgrade, upgrade)
)

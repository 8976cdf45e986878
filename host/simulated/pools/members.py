"""zpool add, detach, remove, offline and online on simulated pools.

The words of refusals are those in OpenZFS 2.3.9's programs; where they are not in tests/transcripts, which
of them comes is read from its source.
"""

from __future__ import annotations

import time

import msgspec

from host.base import Result
from host.commands.pools.members import (
    ZpoolAdd,
    ZpoolCancelRemoval,
    ZpoolDetach,
    ZpoolOffline,
    ZpoolOnline,
    ZpoolRemove,
)
from host.layouts import kind
from host.simulated.datasets.space import allocated, usages
from host.simulated.handlers import on
from host.simulated.pools import events, properties
from host.simulated.pools.checks import Level, check_levels, check_specification, check_use, level_of
from host.simulated.pools.clock import expand, moved, settle
from host.simulated.pools.faults import revive
from host.simulated.pools.lifecycle import check_open, members, new_vdevs
from host.simulated.pools.specification import vdevs_of
from host.simulated.pools.tree import Place, device_of, find, intact, opened, spare_used, swap, unlabel
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Move, Pool, Vdev
from host.simulated.vdevs import GHOSTS, health, leaves, names, of_role, space

_ORDER = {"data": 0, "special": 0, "dedup": 0, "log": 0, "cache": 1, "spare": 2}


def add(machine: Machine, command: ZpoolAdd) -> Result:
    """zpool add, with its checks in its order."""
    failing = f"cannot add to '{command.name}'"
    properties.check_known(command.properties)
    pool = opened(machine, command.name, failing)
    vdevs = vdevs_of(command.vdevs)
    # A pool has its general vdevs already, so it is not asked for them.
    check_specification(vdevs, force=command.force, complete=True)
    known = members(machine, vdevs)
    check_use(machine, vdevs, known, force=command.force)
    if not command.force:
        check_levels(vdevs, known, _level(pool))
    check_open(vdevs, known, failing)
    if any(vdev.kind == "indirect" for vdev in pool.vdevs) and any(
        kind(vdev.layout) in {"raidz", "draid"} for vdev in vdevs
    ):
        text = "a pool with removing/removed vdevs does not support adding raidz or dRAID vdevs"
        raise Refusal(f"{failing}: invalid config; {text}\n")
    pool.vdevs += new_vdevs(machine, pool, vdevs, known)
    pool.vdevs.sort(key=lambda vdev: _ORDER[vdev.role])
    return done()


def _level(pool: Pool) -> Level | None:
    """What the pool's data vdevs have in common; None where they have nothing, and then anything goes."""
    found = {level_of(vdev.layout, max(1, len(vdev.children))) for vdev in of_role(pool, "data")}
    return found.pop() if len(found) == 1 else None


def detach(machine: Machine, command: ZpoolDetach) -> Result:
    """zpool detach: from a mirror, a replacement or a spare in use."""
    failing = f"cannot detach {command.vdev}"
    pool = opened(machine, command.name, failing)
    place = find(pool, command.vdev, failing, exit_status=255)
    if place.top.role in {"spare", "cache"}:
        word = "reserved as a hot spare" if place.top.role == "spare" else "in use as a cache"
        raise Refusal(f"{failing}: device is {word}\n", exit_status=255)
    refuse_checkpoint(pool, failing, 255)
    parent = place.parent
    if place.vdev.children or parent is None or parent.kind not in {"mirror", "replacing", "spare"}:
        text = "only applicable to mirror and replacing vdevs"
        raise Refusal(f"{failing}: {text}\n", exit_status=255)
    if not intact(parent, without=place.vdev):
        raise Refusal(f"{failing}: no valid replicas\n", exit_status=255)
    original = parent.children.index(place.vdev) == 0
    parent.children.remove(place.vdev)
    if len(parent.children) == 1:
        (kept,) = parent.children
        if parent.kind == "spare" and original and kept.kind == "dspare":
            pass  # it stands in for good, and stays in the list of spares as one in use
        elif parent.kind == "spare" and original and kept.role == "spare":
            pool.vdevs = [vdev for vdev in pool.vdevs if vdev.role != "spare" or vdev.guid != kept.guid]
            kept.role = place.vdev.role
            _take_over(machine, pool, kept)
        swap(pool, find(pool, str(parent.guid), failing), kept)
    unlabel(machine, pool, place.vdev)
    settle(machine)
    return done()


def _take_over(machine: Machine, pool: Pool, spare: Vdev) -> None:
    """A spare becomes a member for good, and its label says so."""
    device = device_of(machine, pool, msgspec.structs.replace(spare, role="spare"))
    if device is not None and device.content is not None:
        content = device.content
        content.label, content.uuid, content.pool_state = pool.name, str(pool.guid), "active"


def remove(machine: Machine, command: ZpoolRemove) -> Result:
    """zpool remove: spares, caches and logs at once; of other top-level vdevs the data moves first."""
    failing = f"cannot remove {command.vdev}"
    pool = opened(machine, command.name, failing)
    place = find(pool, command.vdev, failing)
    refuse_checkpoint(pool, failing, 1)
    vdev = place.vdev
    spare = next((one for one in of_role(pool, "spare") if one.guid == vdev.guid), None)
    if spare is not None and spare.kind == "dspare":
        raise Refusal(f"{failing}: operation not supported on this type of pool\n")
    if spare is not None and spare_used(pool, spare):
        raise Refusal(f"{failing}: Pool busy; removal may already be in progress\n")
    if place.parent is not None:
        raise Refusal(f"{failing}: unsupported version or feature\n")
    if vdev.role in {"spare", "cache"}:
        pool.vdevs.remove(vdev)
        # The label stays, and says "spare" or "cache" as before.
        device = device_of(machine, pool, vdev)
        if device is not None and device.content is not None:
            device.content.busy = False
        return done()
    if vdev.role == "log":
        pool.vdevs[pool.vdevs.index(vdev)] = Vdev(guid=vdev.guid, kind="hole", role="log")
        for leaf in leaves(vdev):
            unlabel(machine, pool, leaf)
        return done()
    _check_movable(pool, vdev, failing)
    total = allocated(pool).get(vdev.guid, 0)
    name = names(pool)[vdev.guid]
    pool.removal = Move(guid=vdev.guid, name=name, state="SCANNING", started=time.time(), total=total)
    settle(machine)
    return done()


def _check_movable(pool: Pool, vdev: Vdev, failing: str) -> None:
    if pool.removal and pool.removal.state == "SCANNING":
        if pool.removal.guid == vdev.guid:
            raise Refusal(f"{failing}: removal for this vdev is already in progress.\n")
        raise Refusal(f"{failing}: Pool busy; removal may already be in progress\n")
    data = of_role(pool, "data")
    if vdev.role == "data":
        left = usages(pool)[pool.name].available
        if data == [vdev] or left < space(vdev, pool).usable:
            raise Refusal(f"{failing}: out of space\n")
    if any(leaf.stale or leaf.state != "ONLINE" for leaf in leaves(vdev)):
        raise Refusal(f"{failing}: Pool busy; removal may already be in progress\n")
    odd = [one for one in pool.vdevs if one.kind not in GHOSTS and one.role in {"data", "special", "dedup"}]
    if any(
        kind(one.layout) in {"raidz", "draid"} or any(child.children for child in one.children) for one in odd
    ):
        text = "all top-level vdevs must have the same sector size and not be raidz."
        raise Refusal(f"{failing}: invalid config; {text}\n")


def cancel_removal(machine: Machine, command: ZpoolCancelRemoval) -> Result:
    """zpool remove -s."""
    failing = "cannot cancel removal"
    pool, now = opened(machine, command.name, failing), time.time()
    if pool.removal is None or pool.removal.state != "SCANNING":
        raise Refusal(f"{failing}: operation is not in progress\n")
    pool.removal.done = moved(pool, pool.removal, now)
    pool.removal.state, pool.removal.finished = "CANCELED", now
    return done()


def offline(machine: Machine, command: ZpoolOffline) -> Result:
    """zpool offline."""
    failing = f"cannot offline {command.vdev}"
    pool = opened(machine, command.name, failing)
    place = find(pool, command.vdev, failing)
    _refuse_spare(place, failing)
    if place.vdev.children:
        raise Refusal(f"{failing}: unsupported version or feature\n")
    if place.top.role not in {"log", "cache"} and not intact(place.top, without=place.vdev):
        raise Refusal(f"{failing}: no valid replicas\n")
    before, place.vdev.state = place.vdev.state, "OFFLINE"
    events.device(machine, pool, "statechange", place.vdev, before=before)
    return done()


def online(machine: Machine, command: ZpoolOnline) -> Result:
    """zpool online: ends well even for a device that cannot be opened, and says so."""
    failing = f"cannot online {command.vdev}"
    pool = opened(machine, command.name, failing)
    try:
        place = find(pool, command.vdev, failing)
    except Refusal:
        said = f'couldn\'t find device "{command.vdev}" in pool "{command.name}"\n'
        raise Refusal(said) from None
    _refuse_spare(place, failing)
    leaf = place.vdev
    if leaf.children:
        raise Refusal(f"{failing}: unsupported version or feature\n")
    if leaf.state in {"OFFLINE", "REMOVED", "UNAVAIL"}:
        if device_of(machine, pool, leaf) is None:
            leaf.state = "UNAVAIL" if leaf.state == "OFFLINE" else leaf.state
        else:
            revive(machine, pool, [leaf])
    if health(leaf).state != "ONLINE":
        advice = "to replace devices that are no longer present"
        how = (
            "'zpool clear' to restore a faulted device"
            if leaf.state == "FAULTED"
            else f"'zpool replace' {advice}"
        )
        return done(f"warning: device '{command.vdev}' onlined, but remains in faulted state\nuse {how}\n")
    if command.expand:
        expand(leaf)
    return done()


def _refuse_spare(place: Place, failing: str) -> None:
    if place.top.role == "spare":
        raise Refusal(f"{failing}: device is reserved as a hot spare\n")


def refuse_checkpoint(pool: Pool, failing: str, exit_status: int) -> None:
    """With a checkpoint, no member may leave or be replaced."""
    if pool.checkpoint is not None:
        raise Refusal(f"{failing}: checkpoint exists\n", exit_status=exit_status)


HANDLERS = (
    on(ZpoolAdd, add)
    | on(ZpoolCancelRemoval, cancel_removal)
    | on(ZpoolDetach, detach)
    | on(ZpoolOffline, offline)
    | on(ZpoolOnline, online)
    | on(ZpoolRemove, remove)
)

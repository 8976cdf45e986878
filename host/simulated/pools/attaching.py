"""zpool attach and zpool replace on simulated pools.

The words of refusals are those in OpenZFS 2.3.9's programs; where they are not in tests/transcripts, which
of them comes is read from its source.
"""

from __future__ import annotations

import time

from host.base import Result
from host.capacity import LABELS_BYTES
from host.commands.pools.members import ZpoolAttach, ZpoolReplace
from host.commands.pools.zpool import VdevSpec
from host.simulated.blocks.devices import Device
from host.simulated.datasets.space import sizes
from host.simulated.handlers import on
from host.simulated.pools import events
from host.simulated.pools.checks import check_use
from host.simulated.pools.clock import settle, start_scan
from host.simulated.pools.faults import insert_spare
from host.simulated.pools.lifecycle import check_open, members, new_leaf
from host.simulated.pools.members import refuse_checkpoint
from host.simulated.pools.tree import Place, find, is_spare, opened, swap
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Move, Pool, Vdev
from host.simulated.vdevs import names, space

_FAILED = 255
_LABEL_STEP = 256 << 10


def attach(machine: Machine, command: ZpoolAttach) -> Result:
    """zpool attach: to a disk, a mirror or a RAIDZ."""
    failing = f"cannot attach {command.device} to {command.vdev}"
    pool = opened(machine, command.name, failing)
    device = _usable(machine, command)
    place = _target(pool, command.vdev, failing)
    vdev, parent = place.vdev, place.parent
    raidz = vdev.kind == "raidz"
    if raidz:
        _check_expansion(pool, vdev, failing)
    elif vdev.children or (parent is not None and parent.kind != "mirror"):
        raise Refusal(f"{failing}: can only attach to mirrors and top-level disks\n", exit_status=_FAILED)
    _check_new(pool, place.top, device, command.device, failing)
    leaf = new_leaf(machine, pool, place.top.role, device, command.device)
    events.change(machine, pool, "vdev_attach", leaf)
    if raidz:
        _fit(leaf, vdev.children[0])
        _expand(machine, pool, vdev, leaf)
        return done()
    _fit(leaf, vdev)
    leaf.stale = True
    if parent is None:
        mirror = Vdev(
            guid=machine.number(), kind="mirror", role=vdev.role, layout="mirror", children=[vdev, leaf]
        )
        swap(pool, place, mirror)
    else:
        parent.children.append(leaf)
    start_scan(machine, pool, "RESILVER")
    return done()


def replace(machine: Machine, command: ZpoolReplace) -> Result:
    """zpool replace: by a new device, or by a spare of the pool."""
    failing = f"cannot replace {command.vdev} with {command.device}"
    pool = opened(machine, command.name, failing)
    known = members(machine, (_spec(command.device),))
    spare = is_spare(pool, known[command.device])
    device = known[command.device] if spare else _usable(machine, command)
    place = _target(pool, command.vdev, failing)
    in_use = place.parent is not None and place.parent.kind == "spare"
    if place.vdev.children or (in_use and (spare is not None) != (place.vdev.role == "spare")):
        text = "already in replacing/spare config; wait for completion or use 'zpool detach'"
        raise Refusal(f"{failing}: {text}\n", exit_status=_FAILED)
    if spare is not None and place.top.role != "data":
        raise Refusal(f"{failing}: cannot replace a log with a spare\n", exit_status=_FAILED)
    _check_new(pool, place.top, device, command.device, failing, is_spare=spare is not None)
    if spare is not None:
        insert_spare(machine, pool, place, spare)
        return done()
    leaf = new_leaf(machine, pool, place.top.role, device, command.device)
    events.change(machine, pool, "vdev_attach", leaf)
    leaf.stale = True
    if place.parent is not None and place.parent.kind == "replacing":
        place.parent.children.append(leaf)
    else:
        node = Vdev(guid=machine.number(), kind="replacing", role=place.top.role, children=[place.vdev, leaf])
        swap(pool, place, node)
    start_scan(machine, pool, "RESILVER")
    return done()


def _spec(link: str) -> VdevSpec:
    return VdevSpec(role="data", layout="stripe", devices=(link,))


def _usable(machine: Machine, command: ZpoolAttach | ZpoolReplace) -> Device:
    vdevs = (_spec(command.device),)
    known = members(machine, vdevs)
    check_use(machine, vdevs, known, force=command.force)
    return known[command.device]


def _target(pool: Pool, guid: str, failing: str) -> Place:
    place = find(pool, guid, failing, exit_status=_FAILED)
    if place.top.role in {"spare", "cache"}:
        word = "reserved as a hot spare" if place.top.role == "spare" else "in use as a cache"
        raise Refusal(f"{failing}: device is {word}\n", exit_status=_FAILED)
    return place


def _check_new(
    pool: Pool, top: Vdev, device: Device, link: str, failing: str, *, is_spare: bool = False
) -> None:
    refuse_checkpoint(pool, failing, _FAILED)
    if pool.removal and pool.removal.state == "SCANNING":
        raise Refusal(f"{failing}: device removal in progress\n", exit_status=_FAILED)
    if not is_spare:
        check_open((_spec(link),), {link: device}, failing)
    if _is_too_small(device, top, pool):
        raise Refusal(f"{failing}: device is too small\n", exit_status=_FAILED)
    if device.disk.logical_sector > 1 << pool.ashift:
        text = (
            "new device has a different optimal sector size; use the option '-o ashift=N' to override "
            "the optimal size"
        )
        raise Refusal(f"{failing}: {text}\n", exit_status=_FAILED)


def _fit(leaf: Vdev, beside: Vdev) -> None:
    """Of a larger device only as much is used as of its neighbours."""
    leaf.grown, leaf.size = max(0, leaf.size - beside.size), min(leaf.size, beside.size)


def _is_too_small(device: Device, top: Vdev, pool: Pool) -> bool:
    """A member has to hold its share of the whole metaslabs that its vdev has (vdev_get_min_asize)."""
    width = len(top.children) if top.kind == "raidz" else 1
    offered = device.size // _LABEL_STEP * _LABEL_STEP - LABELS_BYTES
    return offered < -(-space(top, pool).raw // width)


def _check_expansion(pool: Pool, vdev: Vdev, failing: str) -> None:
    if "raidz_expansion" in pool.disabled:
        text = "raidz_expansion feature must be enabled in order to attach a device to raidz"
        raise Refusal(f"{failing}: {text}\n", exit_status=_FAILED)
    if pool.expansion and pool.expansion.state == "SCANNING":
        raise Refusal(f"{failing}: raidz expansion in progress\n", exit_status=_FAILED)
    if any(child.children or child.state != "ONLINE" for child in vdev.children):
        text = "raidz vdev has devices that are are offline or being replaced"
        raise Refusal(f"{failing}: {text}\n", exit_status=_FAILED)


def _expand(machine: Machine, pool: Pool, vdev: Vdev, leaf: Vdev) -> None:
    total = sizes(pool).allocated
    vdev.born = vdev.born or len(vdev.children)
    vdev.children.append(leaf)
    vdev.expanding = True
    name = names(pool)[vdev.guid]
    pool.expansion = Move(guid=vdev.guid, name=name, state="SCANNING", started=time.time(), total=total)
    pool.used = sorted({*pool.used, "raidz_expansion"})
    settle(machine)


HANDLERS = on(ZpoolAttach, attach) | on(ZpoolReplace, replace)

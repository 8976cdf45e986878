"""Finding and changing vdevs of a simulated pool."""

from __future__ import annotations

from typing import NamedTuple

from host.simulated.blocks.devices import Device, each
from host.simulated.refusal import Refusal
from host.simulated.state import Machine, Pool, Vdev
from host.simulated.vdevs import GHOSTS, all_leaves, leaves, of_role, survives


class Place(NamedTuple):
    """A vdev and what it hangs below."""

    vdev: Vdev
    parent: Vdev | None  # None: it is a top-level vdev
    top: Vdev


def opened(machine: Machine, name: str, failing: str) -> Pool:
    """The pool of that name, if it works. `failing` begins the refusal of one that is suspended."""
    pool = machine.pools.get(name)
    if pool is None:
        raise Refusal(f"cannot open '{name}': no such pool\n")
    if pool.suspended:
        raise Refusal(f"{failing}: pool I/O is currently suspended\n")
    return pool


def find(pool: Pool, guid: str, failing: str, *, exit_status: int = 1) -> Place:
    """The vdev of that guid; of one that is a spare in use, the leaf that stands in."""
    for top in sorted(pool.vdevs, key=lambda vdev: vdev.role in {"spare", "cache"}):
        if top.kind not in GHOSTS and (place := _below(top, None, top, int(guid))):
            return place
    raise Refusal(f"{failing}: no such device in pool\n", exit_status=exit_status)


def _below(vdev: Vdev, parent: Vdev | None, top: Vdev, guid: int) -> Place | None:
    if vdev.guid == guid:
        return Place(vdev, parent, top)
    return next((found for child in vdev.children if (found := _below(child, vdev, top, guid))), None)


def swap(pool: Pool, place: Place, new: Vdev) -> None:
    """Put `new` where the vdev is."""
    if place.parent is not None:
        children = place.parent.children
        children[children.index(place.vdev)] = new
        return
    new.role = place.vdev.role
    pool.vdevs[pool.vdevs.index(place.vdev)] = new


def intact(vdev: Vdev, *, without: Vdev) -> bool:
    """Whether all data below `vdev` can be read without one leaf."""
    if not vdev.children:
        return vdev.state == "ONLINE" and not vdev.stale and vdev is not without
    gone = sum(not intact(child, without=without) for child in vdev.children)
    return gone <= survives(vdev)


def is_spare(pool: Pool, device: Device) -> Vdev | None:
    """The free spare of the pool on that device."""
    for spare in of_role(pool, "spare"):
        if spare.serial == device.disk.serial and spare.state == "ONLINE" and not spare_used(pool, spare):
            return spare
    return None


def spare_used(pool: Pool, spare: Vdev) -> bool:
    """Whether it stands in for another."""
    tops = (vdev for vdev in pool.vdevs if vdev.role != "spare" and vdev.kind not in GHOSTS)
    return any(leaf.guid == spare.guid for top in tops for leaf in leaves(top))


def device_of(machine: Machine, pool: Pool, leaf: Vdev) -> Device | None:
    """The device in the machine that carries the leaf's label."""
    kept = {"spare": "spare", "cache": "cache"}.get(leaf.role)
    for device in each(machine):
        content = device.content
        if device.disk.pulled or device.disk.serial != leaf.serial or content is None:
            continue
        if content.pool_state == "left":
            continue
        if content.uuid == str(pool.guid) or (kept is not None and content.pool_state == kept):
            return device
    return None


def unlabel(machine: Machine, pool: Pool, leaf: Vdev) -> None:
    """The leaf has left the pool for good: its label stays, and says so where it can be reached."""
    device = device_of(machine, pool, leaf)
    if device is None or device.content is None or leaf.guid in {other.guid for other in all_leaves(pool)}:
        return
    device.content.busy = False
    if device.content.uuid:
        device.content.pool_state = "left"

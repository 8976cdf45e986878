"""What pulling a disk and putting it back does to the pools, and what a disk that fails does."""

from __future__ import annotations

from host.simulated.pools import events
from host.simulated.pools.clock import start_scan
from host.simulated.pools.tree import Place, device_of, find, spare_used, swap
from host.simulated.state import Disk, Machine, Pool, Vdev
from host.simulated.vdevs import all_leaves, names, of_role, root_health


def pulled(machine: Machine, disk: Disk) -> None:
    """Its leaves are REMOVED; a spare stands in at once; a pool that lost too much is suspended."""
    for pool in machine.pools.values():
        for leaf in _of(pool, disk):
            lose(machine, pool, leaf, "REMOVED")


def lose(machine: Machine, pool: Pool, leaf: Vdev, state: str) -> None:
    """A leaf is gone, or failed: ZED brings in a spare for both."""
    before, well = leaf.state, not pool.suspended
    if leaf.state != "OFFLINE":
        leaf.state = state
    pool.suspended = pool.suspended or root_health(pool).state == "UNAVAIL"
    leaf.unnoticed = pool.suspended
    if pool.suspended and well:
        events.fault(machine, pool, "io_failure")
    elif well and leaf.state != before:
        if state == "REMOVED":
            events.device(machine, pool, "removed", leaf)
        events.device(machine, pool, "statechange", leaf, before=before)
    if not pool.suspended and leaf.state == state:
        _stand_in(machine, pool, leaf)


def inserted(machine: Machine, disk: Disk) -> None:
    """Its leaves come back and are resilvered. A suspended pool goes on only once it is cleared."""
    for pool in machine.pools.values():
        back = [leaf for leaf in _of(pool, disk) if leaf.state == "REMOVED"]
        if back and not pool.suspended:
            revive(machine, pool, back)
    guids = {str(pool.guid) for pool in machine.pools.values()}
    for content in (disk.content, *(part.content for part in disk.partitions)):
        if content and content.pool_state == "active" and content.uuid not in guids:
            content.pool_state = "exported"


def revive(machine: Machine, pool: Pool, leaves: list[Vdev]) -> None:
    """Leaves whose devices are here again work, and catch up with what was written without them."""
    found = [leaf for leaf in leaves if device_of(machine, pool, leaf) is not None]
    for leaf in found:
        before = leaf.state
        leaf.state, leaf.stale = "ONLINE", leaf.role not in {"spare", "cache"}
        events.device(machine, pool, "statechange", leaf, before=before)
    if any(leaf.stale for leaf in found):
        start_scan(machine, pool, "RESILVER")


def _of(pool: Pool, disk: Disk) -> list[Vdev]:
    return [leaf for leaf in all_leaves(pool) if leaf.serial == disk.serial]


def _stand_in(machine: Machine, pool: Pool, gone: Vdev) -> None:
    place = find(pool, str(gone.guid), "")
    # ZED takes distributed spares first: all members rebuild them together.
    spares = sorted(of_role(pool, "spare"), key=lambda one: one.kind != "dspare")
    spare = next((one for one in spares if _fits(pool, one, place)), None)
    # Spares stand in for members of data vdevs that have redundancy, and once.
    if spare is None or place.top.role != "data" or place.parent is None or place.parent.kind == "spare":
        return
    insert_spare(machine, pool, place, spare)


def insert_spare(machine: Machine, pool: Pool, place: Place, spare: Vdev) -> None:
    """Let a spare stand in for a leaf."""
    copy = Vdev(
        guid=spare.guid,
        kind=spare.kind,
        role="spare",
        path=spare.path,
        serial=spare.serial,
        size=spare.size,
        stale=True,
    )
    node = Vdev(guid=machine.number(), kind="spare", role=place.vdev.role, children=[place.vdev, copy])
    swap(pool, place, node)
    events.change(machine, pool, "vdev_spare", spare)
    start_scan(machine, pool, "RESILVER")


def _fits(pool: Pool, spare: Vdev, place: Place) -> bool:
    if spare.kind == "dspare" and (spare.path or "").rpartition("-")[0] != _short_name(pool, place.top):
        return False
    return spare.state == "ONLINE" and not spare_used(pool, spare) and spare.size >= place.vdev.size


def _short_name(pool: Pool, top: Vdev) -> str:
    """`draid2-0` for draid2:4d:12c:1s-0, as its distributed spares have it."""
    layout, _, place = names(pool)[top.guid].rpartition("-")
    return f"{layout.partition(':')[0]}-{place}"

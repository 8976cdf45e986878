"""What pulling a disk and putting it back does to the pools."""

from __future__ import annotations

import time

from host.simulated.datasets.space import sizes
from host.simulated.pools.vdevs import all_leaves, leaves, of_role, root_health
from host.simulated.state import Disk, Machine, Pool, Scan, Vdev


def pulled(machine: Machine, disk: Disk) -> None:
    """Its leaves are REMOVED; a spare stands in at once; a pool that lost too much is suspended."""
    for pool in machine.pools.values():
        for leaf in _of(pool, disk):
            leaf.state = "REMOVED"
            _stand_in(machine, pool, leaf)
        pool.suspended = pool.suspended or root_health(pool).state == "UNAVAIL"


def inserted(machine: Machine, disk: Disk) -> None:
    """Its leaves come back, spares step back, and a suspended pool goes on (as after zpool clear)."""
    for pool in machine.pools.values():
        back = _of(pool, disk)
        for leaf in back:
            leaf.state = "ONLINE"
        if back:
            _step_back(pool)
            _resilvered(pool)
            pool.suspended = root_health(pool).state == "UNAVAIL"
    guids = {str(pool.guid) for pool in machine.pools.values()}
    for content in (disk.content, *(part.content for part in disk.partitions)):
        if content and content.pool_state == "active" and content.uuid not in guids:
            content.pool_state = "exported"


def _of(pool: Pool, disk: Disk) -> list[Vdev]:
    return [leaf for leaf in all_leaves(pool) if leaf.serial == disk.serial]


def _stand_in(machine: Machine, pool: Pool, gone: Vdev) -> None:
    spare = next((one for one in of_role(pool, "spare") if _free(pool, one) and one.size >= gone.size), None)
    top = next((one for one in of_role(pool, "data") if gone in one.children), None)
    if spare is None or top is None:
        return
    place = top.children.index(gone)
    copy = Vdev(
        guid=spare.guid, kind="disk", role="spare", path=spare.path, serial=spare.serial, size=spare.size
    )
    top.children[place] = Vdev(guid=machine.number(), kind="spare", role="data", children=[gone, copy])
    _resilvered(pool)


def _free(pool: Pool, spare: Vdev) -> bool:
    used = {leaf.guid for top in of_role(pool, "data") for leaf in leaves(top)}
    return spare.state == "ONLINE" and spare.guid not in used


def _step_back(pool: Pool) -> None:
    for top in of_role(pool, "data"):
        for place, child in enumerate(top.children):
            if child.kind == "spare" and child.children[0].state == "ONLINE":
                top.children[place] = child.children[0]


def _resilvered(pool: Pool) -> None:
    now = int(time.time())
    pool.scan = Scan(function="RESILVER", started=now, finished=now, examined=sizes(pool).allocated)

"""What failures a pool survives: the one rule, for plans that compare before and after and for alerts.

A leaf that works is lost by one failure; a mirror, a replacement and a spare in use when all below are lost;
a RAIDZ or dRAID when more are lost than it has parity (man zpoolconcepts). What is being resilvered does not
count before it has caught up.
"""

from __future__ import annotations

from host.inventory.pools import Pool, Role, Vdev, leaves
from host.layouts import Layout, parity

VITAL: tuple[Role, ...] = ("data", "special", "dedup")  # losing such a vdev loses the pool
_WORKS = {"ONLINE", "DEGRADED"}  # a leaf that is DEGRADED counted errors, and is still read


def layout_of(vdev: Vdev) -> Layout:
    """Of a top-level vdev by its name: `raidz2` of `raidz2-0`; a disk that stands alone is a stripe."""
    if vdev.kind in {"raidz", "draid", "mirror"}:
        return vdev.name.rpartition("-")[0]
    return "stripe"


def resilvering(pool: Pool) -> bool:
    """Whether data is being copied to a member that lacks it."""
    return pool.scan is not None and (pool.scan.function, pool.scan.state) == ("RESILVER", "SCANNING")


def behind(pool: Pool) -> frozenset[str]:
    """The guids of leaves that do not have all of their data yet."""
    waiting = {leaf.guid for vdev in pool.vdevs for leaf in leaves(vdev) if leaf.resilver_deferred}
    if not resilvering(pool):
        return frozenset(waiting)
    copied = {leaf.guid for vdev in pool.vdevs for leaf in leaves(vdev) if leaf.scanned_bytes}
    joining = {
        node.children[-1].guid
        for vdev in pool.vdevs
        for node in _nodes(vdev)
        if node.kind in {"replacing", "spare"} and not copied & {leaf.guid for leaf in leaves(node)}
    }
    return frozenset(waiting | copied | joining)


def survives(vdev: Vdev, behind: frozenset[str] = frozenset()) -> int:
    """How many further disks of `vdev` may fail in any combination; -1 where it is lost already."""
    return _failures_to_lose(vdev, behind) - 1


def survives_when_whole(vdev: Vdev) -> int:
    """How many disks of `vdev` may fail in any combination while all its members work."""
    if not vdev.children:
        return 0
    if vdev.kind in {"spare", "replacing"}:
        return survives_when_whole(vdev.children[0])
    return parity(layout_of(vdev)) if vdev.kind in {"raidz", "draid"} else len(vdev.children) - 1


def pool_survives_when_whole(vdevs: tuple[Vdev, ...]) -> int:
    """Of the weakest vdev whose loss is the pool's."""
    return min((survives_when_whole(vdev) for vdev in vdevs if vdev.role in VITAL), default=0)


def _failures_to_lose(vdev: Vdev, behind: frozenset[str]) -> int:
    if not vdev.children:
        return int(vdev.state in _WORKS and vdev.guid not in behind)
    costs = sorted(_failures_to_lose(child, behind) for child in vdev.children)
    return sum(costs[: parity(layout_of(vdev)) + 1]) if vdev.kind in {"raidz", "draid"} else sum(costs)


def _nodes(vdev: Vdev) -> tuple[Vdev, ...]:
    below = tuple(node for child in vdev.children for node in _nodes(child))
    return (vdev, *below) if vdev.children else ()

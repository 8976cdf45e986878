"""Disks whose link is slower than it could be: a cable that fell back, or a port too slow for them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from host.kernel.links import Link

# 150 MB/s: a link of this speed slows a hard disk; the next (300 MB/s) is above what any of them reads.
_SLOWS_HARD_DISKS_MBIT = 1500


class SlowPort(msgspec.Struct, frozen=True, kw_only=True):
    """Disks of a vdev with such a link, all of them at the same speed. `others_mbit` is what siblings of the
    same kind have, where they are faster."""

    pool: Pool
    vdev: Vdev
    disks: tuple[Disk, ...]
    link: Link
    others_mbit: int | None


def slow_ports(inventory: Inventory, links: dict[str, Link]) -> Iterator[SlowPort]:
    """By vdev. `links` are by `Disk.id`."""
    for pool in inventory.pools:
        for top in pool.vdevs:
            found: dict[tuple[Link, int | None], list[Disk]] = {}
            here = [disk for leaf in leaves(top) if (disk := inventory.disk(leaf.disk or ""))]
            for disk in here:
                slow = _of(disk, [other for other in here if other is not disk], links)
                if slow is not None:
                    found.setdefault(slow, []).append(disk)
            for (link, others), disks in found.items():
                yield SlowPort(pool=pool, vdev=top, disks=tuple(disks), link=link, others_mbit=others)


def _of(disk: Disk, others: list[Disk], links: dict[str, Link]) -> tuple[Link, int | None] | None:
    link = links.get(disk.id)
    if link is None or (link.most_mbit is not None and link.mbit >= link.most_mbit):
        return None  # as fast as it can be: an older disk among newer ones is no fault of its port
    alike = [links[one.id].mbit for one in others if one.medium == disk.medium and one.id in links]
    best = max(alike, default=0)
    if best > link.mbit:
        return link, best
    if link.most_mbit is None or (disk.medium == "hdd" and link.mbit > _SLOWS_HARD_DISKS_MBIT):
        return None
    return link, None

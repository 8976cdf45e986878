"""Vdevs as people speak of them, and where each disk has its place in a pool."""

from __future__ import annotations

from collections import Counter

import msgspec

from host.inventory import Absent, Disk, Inventory, Pool, Vdev, leaves

HUES = 8  # as many as tokens.css has


class MemberPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a disk sits in a pool: its leaf, the top-level vdev above it, and that vdev's hue."""

    pool: str
    vdev: str
    key: str
    hue: int
    leaf: Vdev


class VdevChip(msgspec.Struct, frozen=True, kw_only=True):
    """A top-level vdev in a few words, with the hue of its bays."""

    key: str
    hue: int
    title: str
    disks: int


def member_places(inventory: Inventory) -> dict[str, MemberPlace]:
    """Each disk's seat, by `Disk.id`."""
    found: dict[str, MemberPlace] = {}
    hue = 0
    for pool in inventory.pools:
        for vdev in pool.vdevs:
            for leaf in leaves(vdev):
                if leaf.disk is not None:
                    found[leaf.disk] = MemberPlace(
                        pool=pool.name, vdev=vdev_title(vdev), key=f"{pool.name}:{vdev.guid}",
                        hue=hue % HUES, leaf=leaf,
                    )  # fmt: skip
            hue += 1
    return found


def chips(inventory: Inventory) -> dict[str, tuple[VdevChip, ...]]:
    """The top-level vdevs of each pool, by the pool's name, with the hues that `member_places` gives."""
    found: dict[str, tuple[VdevChip, ...]] = {}
    hue = 0
    for pool in inventory.pools:
        row: list[VdevChip] = []
        for vdev in pool.vdevs:
            count = sum(1 for _ in leaves(vdev))
            key = f"{pool.name}:{vdev.guid}"
            row.append(VdevChip(key=key, hue=hue % HUES, title=vdev_title(vdev), disks=count))
            hue += 1
        found[pool.name] = tuple(row)
    return found


def vdev_title(vdev: Vdev) -> str:
    """`raidz2-0`; a disk that is a vdev by itself is named by its role."""
    if vdev.children:
        return vdev.name if vdev.role == "data" else f"{vdev.role} {vdev.name}"
    return "single disk" if vdev.role == "data" else vdev.role


def shape(pool: Pool) -> str:
    """`raidz2 of 6`, `3 × mirror of 2, 1 spare`: what the pool is made of."""
    data = Counter((vdev.name.partition("-")[0], len(vdev.children)) for vdev in pool.vdevs if _is_data(vdev))
    words = [
        f"{count} × {name} of {width}" if count > 1 else f"{name} of {width}"
        for (name, width), count in data.items()
    ]
    singles = sum(1 for vdev in pool.vdevs if vdev.role == "data" and not vdev.children)
    words += [f"{singles} single disk{'s' if singles > 1 else ''}"] if singles else []
    others = Counter(vdev.role for vdev in pool.vdevs if vdev.role != "data")
    words += [f"{count} {role}{'s' if count > 1 else ''}" for role, count in others.items()]
    return ", ".join(words)


def leaf_name(leaf: Vdev, disk: Disk | Absent | None) -> str:
    """What to call a leaf: its disk's model and serial, here or gone, else the last word of ZFS' path."""
    if disk is not None:
        return f"{disk.model} {disk.serial or ''}".strip()
    return (leaf.path or leaf.name).rpartition("/")[2]


def absent_leaves(inventory: Inventory) -> dict[str, Absent]:
    """The disks that left pools, by the guid of the leaf that misses them."""
    return {
        leaf.guid: gone
        for pool in inventory.pools
        for vdev in pool.vdevs
        for leaf in leaves(vdev)
        if (gone := inventory.left(leaf)) is not None
    }


def _is_data(vdev: Vdev) -> bool:
    return vdev.role == "data" and bool(vdev.children)

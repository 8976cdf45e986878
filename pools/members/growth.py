"""The change of a vdev to larger disks, one at a time: how far it is, read from the pool alone.

Nothing is remembered: a vdev whose disks differ in size is on its way, and stays so for as long as the owner
likes. It grows once the last small disk has been replaced.
"""

from __future__ import annotations

import msgspec

from host.capacity import Shape, shapes, usable_bytes
from host.inventory import Pool, Vdev, leaves
from host.inventory.redundancy import layout_of, resilvering

_ALIKE_BYTES = 16 << 20  # as ZPOOL_FUZZ: smaller differences do not count


class GrowthPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A member's place: its leaf, or the one that comes while it is replaced."""

    leaf: Vdev
    size_bytes: int  # of its partition
    small: bool
    arriving: bool = False


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """How far a vdev is. Sizes are what `zfs list` shows of a fresh pool like this, in bytes."""

    top: Vdev
    members: tuple[GrowthPlace, ...]
    target_bytes: int  # the size of each partition at the end; 0 where nothing larger is known
    usable_now: int
    usable_then: int
    resilvering: bool
    expands_itself: bool  # autoexpand

    @property
    def left(self) -> tuple[GrowthPlace, ...]:
        """Those that are still small."""
        return tuple(bay for bay in self.members if bay.small)

    @property
    def started(self) -> bool:
        """Some are large already, and some are not."""
        return 0 < len(self.left) < len(self.members)

    @property
    def under_way(self) -> bool:
        """There is something to replace, to wait for or to grow into."""
        return bool(self.left) or self.resilvering or self.expandable_bytes > 0

    @property
    def next(self) -> GrowthPlace | None:
        """The one to replace now; None while another one is copied, and when none is left."""
        return None if self.resilvering or not self.left else self.left[0]

    @property
    def expandable_bytes(self) -> int:
        """Raw space that is there and not used yet."""
        return self.top.expandable_bytes


def growth(pool: Pool, top: Vdev, *, larger_bytes: int = 0) -> Growth:
    """Of one top-level vdev. `larger_bytes` is the partition of the larger disks, where none has come yet."""
    members = [_member(child) for child in top.children or (top,)]
    known = [size for _, size, _ in members if size]
    largest, smallest = max(known, default=0), min(known, default=0)
    begun = largest > smallest + _ALIKE_BYTES
    target = largest if begun or top.expandable_bytes else max(larger_bytes, largest)
    return Growth(
        top=top,
        members=tuple(
            GrowthPlace(leaf=leaf, size_bytes=size, small=size + _ALIKE_BYTES < target, arriving=arriving)
            for leaf, size, arriving in members
        ),
        target_bytes=target,
        usable_now=_usable(pool, top, None),
        usable_then=_usable(pool, top, target),
        resilvering=resilvering(pool) or any(arriving for _, _, arriving in members),
        expands_itself=pool.properties.get("autoexpand") == "on",
    )


def can_grow(top: Vdev) -> bool:
    """Whether larger disks would make the vdev larger, and it has some."""
    return top.role in {"data", "special", "dedup"} and top.kind in {"disk", "mirror", "raidz", "draid"}


def _member(child: Vdev) -> tuple[Vdev, int, bool]:
    if child.kind == "replacing":
        new = list(leaves(child))[-1]
        return new, new.size_bytes, True
    leaf = next(leaves(child))
    return leaf, leaf.size_bytes, False


def _usable(pool: Pool, grown: Vdev, target: int | None) -> int:
    found: list[Shape] = []
    for top in pool.vdevs:
        if top.role != "data" and top.guid != grown.guid:
            continue
        sizes = [size for _, size, _ in map(_member, top.children or (top,)) if size]
        if not sizes:
            return 0
        width = len(top.children) or 1
        smallest = target if target is not None and top.guid == grown.guid else _used(top, min(sizes))
        found += shapes(layout_of(top), (smallest,) * width)
    return usable_bytes(found, ashift=pool.ashift or 12)


def _used(top: Vdev, smallest: int) -> int:
    """What is used of each member now: less than all of it while the vdev can still grow."""
    if not top.expandable_bytes:
        return smallest
    width = len(top.children) if top.kind in {"raidz", "draid"} else 1
    return smallest - top.expandable_bytes // width

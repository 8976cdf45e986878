"""Whether a special vdev would help a pool, and how large it should be, from a count of its blocks. Pure.

What it holds is metadata, that is all but the data of files and volumes, and of files the blocks that are not
larger than `special_small_blocks`. Its last quarter is kept for metadata (zfs(4),
`zfs_special_class_metadata_reserve_pct`), so that small blocks go elsewhere from three quarters on.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from host.blocks.values import Blocks, PoolBlocks
from host.inventory import Inventory, Pool
from host.inventory.redundancy import pool_survives_when_whole
from pools.advice.devices import spins

# Of metadata, with `redundant_metadata=all`; on RAIDZ what is allocated has parity and padding, too. The few
# MiB of the pool's own are there three times.
_COPIES = 2
_FOR_SMALL = 0.75
_LEAST_USED = 0.01  # of the pool, to tell how it will be when it is full
_MOST_OF_CACHE = 0.5  # for metadata: the cache has the data that is read again, too
Verdict = Literal["helps", "does-little", "there"]


class SpecialSize(msgspec.Struct, frozen=True, kw_only=True):
    """What a special vdev would hold with `special_small_blocks` of so many bytes, 0: metadata alone.
    `full_bytes` is what it should have once the pool is full, if it goes on as it began; None where too
    little of the pool is used to tell.
    """

    small_blocks: int
    today_bytes: int
    full_bytes: int | None


class SpecialAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """Whether it would help, and why. `metadata_share` is of all that is allocated, from 0 to 1."""

    verdict: Verdict
    title: str
    reason: str
    metadata_share: float


def sizes(pool: Pool, counted: PoolBlocks) -> tuple[SpecialSize, ...]:
    """Metadata alone first; none without a count."""
    if not counted.metadata.count:
        return ()
    metadata = special_bytes(counted.metadata)
    tells = pool.allocated_bytes > 0 and pool.allocated_bytes >= _LEAST_USED * pool.size_bytes

    def full(today: int, share: float) -> int | None:
        return round(today * pool.size_bytes / pool.allocated_bytes / share) if tells else None

    found = [SpecialSize(small_blocks=0, today_bytes=metadata, full_bytes=full(metadata, 1.0))]
    for one in counted.small:
        both = metadata + one.stored_bytes
        found.append(
            SpecialSize(small_blocks=one.up_to_bytes, today_bytes=both, full_bytes=full(both, _FOR_SMALL))
        )
    return tuple(found)


def special_bytes(metadata: Blocks) -> int:
    """What metadata takes on a mirror or a single disk, where nothing is added to a block but its copy."""
    return min(metadata.allocated_bytes, _COPIES * metadata.stored_bytes)


def advise(pool: Pool, inventory: Inventory, counted: PoolBlocks) -> SpecialAdvice | None:
    """None without a count."""
    if not counted.metadata.count:
        return None
    share = counted.metadata.allocated_bytes / pool.allocated_bytes if pool.allocated_bytes else 0.0
    cache = inventory.arc.live.max_bytes if inventory.arc.live is not None else 0
    verdict: Verdict
    if any(vdev.role == "special" for vdev in pool.vdevs):
        verdict, title = "there", "There is one"
        reason = "It holds what metadata was written since it was added, and small blocks where that is set."
    elif not spins(pool, inventory):
        verdict, title = "does-little", "It would do little"
        reason = "The pool's own SSDs find metadata as quickly as a special vdev would."
    elif counted.metadata.stored_bytes <= _MOST_OF_CACHE * cache:
        verdict, title = "does-little", "It would do little"
        reason = (
            "All metadata fits into half of the memory that ZFS may use: once read, it is read from there. "
            "What is read for the first time after a start would be quicker."
        )
    else:
        verdict, title = "helps", "It would help"
        reason = (
            "Metadata does not fit into half of the memory that ZFS may use, and is read from turning disks "
            "again and again: listing folders, searching and incremental copies gain most."
        )
    return SpecialAdvice(verdict=verdict, title=title, reason=reason, metadata_share=min(1.0, share))


def redundancy(pool: Pool) -> str:
    """How a special vdev should be laid out, in words."""
    disks = "three" if pool_survives_when_whole(pool.vdevs) > 1 else "two"
    stays = any(vdev.kind in {"raidz", "draid"} for vdev in pool.vdevs)
    lost = f"The pool is lost with it: make it a mirror of {disks} SSDs."
    return f"{lost} Beside RAIDZ it cannot be removed again." if stays else lost

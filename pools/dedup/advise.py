"""What deduplication would save, what its table would take, and whether that is worth it. Pure."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from host.dedup.values import References

LEAST_SAVED = 0.20  # of the space: below it, compression and clones do more for less
MOST_OF_MEMORY = 0.25  # for the table: it is read at each write, and what is not in memory is read from disk


class _Entry(NamedTuple):
    """Bytes that one block has in the table: `zdb -DD` of OpenZFS 2.3.9, mspace and dspace of 51 200 blocks
    that are there once; of fast dedup, of the 20 460 that were no longer in its log, which takes less."""

    memory: int
    disk: int


_ENTRIES: dict[Literal["classic", "fast"], _Entry] = {"classic": _Entry(164, 237), "fast": _Entry(314, 363)}


class TableSize(msgspec.Struct, frozen=True, kw_only=True):
    """What the table takes with so many different blocks. `fast` is that of pools with the feature
    `fast_dedup` (OpenZFS 2.3), `classic` that of older ones.
    """

    kind: Literal["classic", "fast"]
    data: Literal["today", "twice"]
    entries: int
    memory_bytes: int
    disk_bytes: int


class DedupAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """Whether it is worth it, and why. `saved_share` is from 0 to 1, of what the pool takes now;
    `shared_bytes` are saved already, by clones and by deduplication that is on."""

    worth_it: bool
    reason: str
    saved_bytes: int
    saved_share: float
    shared_bytes: int = 0


def ratio(rows: tuple[References, ...]) -> float:
    """How many times over the blocks are there, as `dedupratio` has it; 1.0 without any."""
    once = sum(row.size_bytes for row in rows)
    return sum(row.referenced_bytes for row in rows) / once if once else 1.0


def tables(rows: tuple[References, ...]) -> tuple[TableSize, ...]:
    """For today's blocks and for twice as many; none without blocks."""
    blocks = sum(row.blocks for row in rows)
    amounts: tuple[tuple[Literal["today", "twice"], int], ...] = (("today", blocks), ("twice", 2 * blocks))
    return tuple(
        TableSize(
            kind=kind, data=data, entries=entries, memory_bytes=entries * one.memory,
            disk_bytes=entries * one.disk,
        )
        for kind, one in _ENTRIES.items() for data, entries in amounts if entries
    )  # fmt: skip


def doubled(rows: tuple[References, ...]) -> int:
    """The bytes that storing each block once saves."""
    return sum(row.referenced_bytes - row.size_bytes for row in rows)


def advise(
    rows: tuple[References, ...], memory_bytes: int, *, fast: bool, shared_bytes: int = 0
) -> DedupAdvice | None:
    """None without blocks. `fast`: the pool has the feature. `shared_bytes` of what zdb found equal are
    stored once already: it counts each pointer to a block, those of clones and of the pool's table too."""
    whole = sum(row.referenced_bytes for row in rows)
    if not whole:
        return None
    saved, stored = max(0, doubled(rows) - shared_bytes), max(1, whole - shared_bytes)
    share = saved / stored
    kind: Literal["classic", "fast"] = "fast" if fast else "classic"
    table = next(one for one in tables(rows) if (one.kind, one.data) == (kind, "today"))
    large = table.memory_bytes > MOST_OF_MEMORY * memory_bytes
    if share < LEAST_SAVED:
        reason = (
            f"It would save {share:.0%} of the space. Below {LEAST_SAVED:.0%} that is not worth the memory "
            "which its table takes and the reads which it adds to each write."
        )
    elif large:
        reason = (
            f"It would save {share:.0%} of the space, but its table would take "
            f"{table.memory_bytes / memory_bytes:.0%} of the memory. Above {MOST_OF_MEMORY:.0%} parts of it "
            "are read from the disks again and again, and writes become very slow."
        )
    else:
        reason = (
            f"It would save {share:.0%} of the space, and its table takes "
            f"{table.memory_bytes / memory_bytes:.0%} of the memory. Only what is written from then on is "
            "deduplicated, and turning it off again does not free the table: try it on one dataset first."
        )
    if shared_bytes:
        reason = f"Blocks are shared already, by clones or deduplication; this is beyond that. {reason}"
    worth = share >= LEAST_SAVED and not large
    return DedupAdvice(
        worth_it=worth, reason=reason, saved_bytes=saved, saved_share=share, shared_bytes=shared_bytes
    )

"""What is known of a pool's equal blocks, as the API answers it and the page shows it."""

from __future__ import annotations

import msgspec

from host.dedup.values import DedupEstimate, DedupTable
from host.inventory import Inventory, Pool
from pools.dedup.advise import DedupAdvice, TableSize, advise, doubled, ratio, tables
from pools.dedup.see import DedupFound


class DedupAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`run` is the last estimate or the one that goes on: its `verdict` is null until it ends. `ratio` is how
    many times over the blocks would be stored once. `table` is the one that the pool has; null where nothing
    is deduplicated.
    """

    pool: str
    run: DedupEstimate | None
    ratio: float | None
    advice: DedupAdvice | None
    tables: tuple[TableSize, ...]
    table: DedupTable | None
    as_of: str


def dedup_answer(pool: Pool, inventory: Inventory, found: DedupFound) -> DedupAnswer:
    """The answer for a pool."""
    rows = found.estimate.rows if found.estimate is not None else ()
    fast = pool.features.get("fast_dedup", "disabled") != "disabled"
    return DedupAnswer(
        pool=pool.name, run=found.estimate, ratio=round(ratio(rows), 2) if rows else None,
        advice=advise(rows, inventory.facts.memory_bytes, fast=fast, shared_bytes=_shared(pool, found.table)),
        tables=tables(rows), table=found.table,
        as_of=inventory.as_of,
    )  # fmt: skip


def _shared(pool: Pool, table: DedupTable | None) -> int:
    """What clones and the table that is there save now."""
    clones = pool.properties.get("bclonesaved", "0")
    return (int(clones) if clones.isdecimal() else 0) + (doubled(table.rows) if table else 0)

"""What is known of a pool's blocks, as the API answers it and the page shows it."""

from __future__ import annotations

import msgspec

from host.blocks.values import PoolBlocks
from host.inventory import Inventory, Pool
from pools.metadata.advise import SpecialAdvice, SpecialSize, advise, redundancy, sizes


class MetadataAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`run` is the last count or the one that goes on: its `verdict` is null until it ends. `sizes` is what a
    special vdev would hold, `redundancy` how it should be laid out.
    """

    pool: str
    run: PoolBlocks | None
    advice: SpecialAdvice | None
    sizes: tuple[SpecialSize, ...]
    redundancy: str
    as_of: str


def metadata_answer(pool: Pool, inventory: Inventory, counted: PoolBlocks | None) -> MetadataAnswer:
    """The answer for a pool."""
    return MetadataAnswer(
        pool=pool.name, run=counted, advice=advise(pool, inventory, counted) if counted else None,
        sizes=sizes(pool, counted) if counted else (), redundancy=redundancy(pool), as_of=inventory.as_of,
    )  # fmt: skip

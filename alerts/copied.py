"""Which datasets lie somewhere else too, so recently and so surely that their pool may be lost.

Each room that copies data elsewhere says so by values (`host.inventory.DatasetCopy`); what counts is decided
here alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from host.inventory import Dataset, DatasetCopy, Inventory, Pool

PROVEN_WITHIN = timedelta(days=45)  # a monthly check, and some patience
_EMPTY_BYTES = 1 << 20  # what holds less are folders for other datasets


def counts(copy: DatasetCopy, at: datetime) -> bool:
    """Whether it is as new as it should be, and was read back of late. A moment that lies ahead is one of a
    clock that was set back, and counts as now."""
    if copy.made_at is None or copy.proven_at is None:
        return False
    fresh = at - datetime.fromisoformat(copy.made_at) <= timedelta(hours=copy.longest_age_h)
    return fresh and at - datetime.fromisoformat(copy.proven_at) <= PROVEN_WITHIN


def uncopied(
    pool: Pool, inventory: Inventory, copies: Iterable[DatasetCopy], at: datetime
) -> tuple[Dataset, ...]:
    """The datasets of a pool that would be lost with it: what is in them, or was chosen to be copied."""
    chosen = tuple(copies)
    safe = {copy.guid for copy in chosen if counts(copy, at)}
    wanted = {copy.guid for copy in chosen}
    return tuple(
        one
        for one in inventory.datasets
        if one.pool == pool.name
        and one.guid not in safe
        and (one.guid in wanted or one.number("referenced") >= _EMPTY_BYTES)
    )

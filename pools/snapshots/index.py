"""Snapshots from the index: a page at a time, never all."""

from __future__ import annotations

from host.inventory import Snapshot
from jobs import cache


def page(dataset: str, *, after: str | None = None, limit: int = 100) -> tuple[list[Snapshot], str | None]:
    """Up to `limit` snapshots of `dataset`, oldest first, and where the next page starts (None at the end).

    `after` is what an earlier page gave; anything that is no number starts at the beginning.
    """
    start = int(after) if after and after.isdecimal() and len(after) < 18 else 0
    found = cache.snapshots(dataset, after=start, limit=limit + 1)
    following = str(found[limit - 1][0]) if len(found) > limit else None
    return [snapshot for _, snapshot in found[:limit]], following

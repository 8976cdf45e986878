"""How a measurement of a dataset's files stands, in words."""

from __future__ import annotations

import msgspec

from host.inventory import Dataset
from jobs.index import reading


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """The last one, or the one that goes on: `well` where it came to its end by itself."""

    goes_on: bool
    well: bool
    state: str
    words: str
    since: str
    counts: str


def has_no_snapshot(dataset: Dataset) -> bool:
    """Whether it has none to read files from, as far as its snapshots were listed."""
    tally = reading.tallies([dataset.guid]).get(dataset.guid)
    return tally is not None and tally.count == 0

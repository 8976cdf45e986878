"""Which datasets a list shows, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from frontend.datasets.row import Around, lock_of, quota_of
from frontend.sorting import Column
from host.inventory import Dataset

KINDS = {"filesystem": "Filesystems", "volume": "Volumes"}
_TIGHT = 80  # percent of a quota


class Only(NamedTuple):
    """Datasets of which something holds."""

    title: str
    holds: Callable[[Dataset, Around], bool]


def _is_tight(dataset: Dataset, _around: Around) -> bool:
    quota = quota_of(dataset)
    return quota is not None and quota.percent > _TIGHT


def _has_no_snapshot(dataset: Dataset, around: Around) -> bool:
    tally = around.tallies.get(dataset.guid)
    return tally is not None and tally.count == 0  # one that is being listed may have some


def _has_no_copy(dataset: Dataset, around: Around) -> bool:
    return all(copy.copied_at is None for copy in around.copies.of(dataset.name))


ONLY = {
    "encrypted": Only("Encrypted", lambda dataset, _around: bool(lock_of(dataset))),
    "locked": Only("Locked", lambda dataset, _around: lock_of(dataset) == "lock"),
    "shared": Only("Shared", lambda dataset, around: dataset.name in around.shares),
    "unprotected": Only("Without snapshots", _has_no_snapshot),
    "uncopied": Only("Without a second copy", _has_no_copy),
    "tight": Only("Over 80 % of quota", _is_tight),
}


def columns(around: Around) -> dict[str, Column[Callable[[Dataset], Any]]]:
    """The columns that datasets are sorted by."""

    def count(dataset: Dataset) -> int | None:
        tally = around.tallies.get(dataset.guid)
        return tally.count if tally else None

    def newest(dataset: Dataset) -> int | None:
        tally = around.tallies.get(dataset.guid)
        return tally.newest if tally else None

    def shared(dataset: Dataset) -> str | None:
        marks = around.shares.get(dataset.name)
        return marks[0].name or dataset.name if marks else None

    def size(name: str) -> Callable[[Dataset], int]:
        return lambda dataset: dataset.number(name)

    return {
        "name": Column("Dataset", lambda dataset: dataset.name),
        "used": Column("Used", size("used"), number=True, down=True),
        "available": Column("Available", size("available"), number=True, down=True, priority=2),
        "referenced": Column("Referenced", size("referenced"), number=True, down=True, priority=2),
        "quota": Column("Quota", _percent, down=True, priority=2),
        "count": Column("Snapshots", count, number=True, down=True),
        "newest": Column("Newest", newest, down=True, priority=2),
        "shared": Column("Shared", shared, priority=2),
        "encryption": Column("Encryption", lambda dataset: lock_of(dataset) or None, priority=2),
        "ratio": Column("Compression", _ratio, number=True, down=True, priority=3),
    }


def _percent(dataset: Dataset) -> float | None:
    quota = quota_of(dataset)
    return None if quota is None else quota.percent


def _ratio(dataset: Dataset) -> float | None:
    text = (dataset.value("compressratio") or "").removesuffix("x")
    return float(text) if text.replace(".", "", 1).isdecimal() and text.isascii() else None

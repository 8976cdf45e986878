"""Errors of memory modules over time, from the counts that EDAC keeps by slot.

The thresholds are those of mcelog's own configuration (`mcelog.conf`, `[dimm]`): one error that could not be
corrected, or ten that could within a day. A single corrected error now and then is normal; a module that has
many is likely to have uncorrectable ones next (Schroeder et al., "DRAM Errors in the Wild", 2009).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import msgspec

from jobs import series

CORRECTED_A_DAY = 10
DAY, WEEK = timedelta(days=1), timedelta(days=7)
_LATELY = timedelta(minutes=5)
_CORRECTED, _UNCORRECTED = "memory.corrected_errors", "memory.uncorrected_errors"
_BACK = timedelta(days=32)  # so far back hours are read, whose highest values a count is
_EXACT = 15_000  # values that are older than a day are kept to one part in twice as many


class MemorySlot(msgspec.Struct, frozen=True, kw_only=True):
    """A memory module with errors: how many were corrected within a day, and how many were not within a
    week. It ends by itself once that time has passed without new ones."""

    label: str  # the slot, as the board names it
    corrected: int = 0
    uncorrected: int = 0

    @property
    def bad(self) -> bool:
        """Whether that is worth an alert."""
        return self.uncorrected >= 1 or self.corrected >= CORRECTED_A_DAY


def slots(booted: int, now: datetime) -> tuple[MemorySlot, ...]:
    """Those with errors worth an alert; `booted` (seconds since 1970) is when the counts began at 0."""
    found = (
        MemorySlot(
            label=label, corrected=_count(f"{_CORRECTED}:{label}", DAY, booted, now),
            uncorrected=_count(f"{_UNCORRECTED}:{label}", WEEK, booted, now),
        )
        for label in labels(now)
    )  # fmt: skip
    return tuple(one for one in found if one.bad)


def labels(now: datetime) -> tuple[str, ...]:
    """All slots whose errors are counted; none on machines without ECC."""
    names = series.newest((_CORRECTED, _UNCORRECTED), since=now - _LATELY)
    return tuple(dict.fromkeys(name.partition(":")[2] for name in names))


def grown(times: Sequence[int], counts: Sequence[float], since: float, booted: float) -> int:
    """By how much a count rose from `since` on. One that went back began anew at 0; the first that is known
    counts as a rise where the machine was started since then, as nobody looked before."""
    total = 0.0
    for time, rise in _rises(times, counts, fresh=booted >= since):
        total += rise if time >= since else 0.0
    return round(total)


def _rises(times: Sequence[int], counts: Sequence[float], *, fresh: bool) -> Iterator[tuple[int, float]]:
    before: float | None = None
    for time, count in zip(times, counts, strict=True):
        if before is None:
            rise = count if fresh else 0.0
        elif count < before - before / _EXACT:
            rise = count
        else:
            rise = count - before if count - before > count / _EXACT else 0.0
        before = count
        yield time, rise


def _count(name: str, span: timedelta, booted: int, now: datetime) -> int:
    kept = series.read(name, now - _BACK, now)
    return grown(kept.times, kept.highs, (now - span).timestamp(), booted)

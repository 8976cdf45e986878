"""Reads series back, as fine as they were kept, and with no more points than are asked for."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import chain, count, groupby
from statistics import fmean

from jobs.series import recent, stored
from jobs.series.file import opened, surviving
from jobs.series.values import (
    DAY_S,
    HOUR_S,
    HOURS_KEPT_S,
    LATE_S,
    MINUTE_S,
    MINUTES_KEPT_S,
    RECENT_KEPT_S,
    Columns,
    Span,
)

MOST_POINTS = 20_000
_RECENT_SPAN_S = 26 * HOUR_S
# Longer spans in seconds, which begin where a clock shows round numbers.
_ROUND_S = (20, 30, 60, 120, 300, 600, 900, 1800, *(HOUR_S * n for n in (1, 2, 3, 6, 12, 24)))

Points = list[tuple[int, float]]


@surviving(bool)
def known(name: str) -> bool:
    """Whether there ever was a series of that name."""
    with opened() as file:
        return file.execute("SELECT 1 FROM series WHERE name = ?", (name,)).fetchone() is not None


def read(name: str, since: datetime, until: datetime, *, most: int = MOST_POINTS) -> Columns:
    """The series between two times, both included; empty where there is none.

    Points of 10 seconds within the last day, means of a minute within a month, hourly ones else; where that
    would be more than `most` points, means over longer spans. Times are the beginnings of spans.
    """
    return read_all([name], since, until, most=most).get(name, Columns())


@surviving(dict[str, Columns])
def read_all(
    names: Iterable[str], since: datetime, until: datetime, *, most: int = MOST_POINTS
) -> dict[str, Columns]:
    """Those of `names` that there are, each as `read` has it. To open the file takes longer than most series:
    once for all of them."""
    with opened() as file:
        found = {name: _read(file, name, since, until, most) for name in names}
    return {name: columns for name, columns in found.items() if columns is not None}


def _read(file: sqlite3.Connection, name: str, since: datetime, until: datetime, most: int) -> Columns | None:
    now = int(time.time())
    start = max(int(since.timestamp()), now - HOURS_KEPT_S)
    end = min(int(until.timestamp()), now + HOURS_KEPT_S)
    row = file.execute("SELECT series.id, store.* FROM series, store WHERE name = ?", (name,)).fetchone()
    if row is None:
        return None
    one = _Series(file, *row)
    if end - start <= _RECENT_SPAN_S and start >= now - RECENT_KEPT_S:
        return _of_points(one.recent(start, end), most)
    if start >= now - MINUTES_KEPT_S:
        return _of_points(one.minutes(start - start % MINUTE_S, end), most)
    return _of_hours(one.hours(start - start % HOUR_S, end), most)


def mean(name: str, now: datetime, span: timedelta) -> float | None:
    """Of the last `span`; None where nothing was measured."""
    found = read(name, now - span, now)
    return fmean(found.values) if found.values else None


@surviving(dict[str, float])
def newest(kinds: Iterable[str], *, since: datetime) -> dict[str, float]:
    """The last value of every series `<kind>` and `<kind>:…`, by its name, that is not older than `since`,
    which is within the last day."""
    found: dict[str, float] = {}
    start, now = int(since.timestamp()), int(time.time())
    with opened() as file:
        (store,) = file.execute("SELECT id FROM store").fetchone()
        for kind in kinds:
            names = dict(
                file.execute(
                    "SELECT id, name FROM series WHERE name = ? OR (name > ? AND name < ?)",
                    (kind, f"{kind}:", f"{kind};"),  # a semicolon follows the colon in ASCII
                ).fetchall()
            )
            rows = recent.read(store, names, start, now)
            found |= {names[number]: points[-1][1] for number, points in rows.items()}
    return found


class _Series:
    """One series in the file, and in memory what is not in the file yet."""

    def __init__(self, file: sqlite3.Connection, number: int, store: str, flushed: int, summed: int) -> None:
        self._file, self._number, self._store = file, number, store
        self._flushed, self._summed = flushed, summed

    def recent(self, since: int, until: int) -> Points:
        """Single points; minutes where memory no longer has them, as after a start of the machine."""
        points = self._recent(since, until)
        first = points[0][0] if points else until + 1
        return [*stored.minutes(self._file, self._number, since, first - MINUTE_S), *points]

    def minutes(self, since: int, until: int) -> Points:
        """Means of a minute; those that memory has are newer than those in the file."""
        later = stored.spans(self._recent(max(since, self._flushed - LATE_S), until), MINUTE_S)
        found = dict(stored.minutes(self._file, self._number, since, until))
        return sorted((found | {span.time: span.mean for span in later}).items())

    def hours(self, since: int, until: int) -> Columns:
        """Means of an hour."""
        kept = stored.hours(self._file, self._number, since, min(until, self._summed - 1))
        later = _columns(stored.spans(self.minutes(max(since, self._summed), until), HOUR_S))
        return Columns(
            times=kept.times + later.times, values=kept.values + later.values,
            lows=kept.lows + later.lows, highs=kept.highs + later.highs,
        )  # fmt: skip

    def _recent(self, since: int, until: int) -> list[tuple[int, float]]:
        return recent.read(self._store, [self._number], since, until).get(self._number, [])


def _of_points(points: Points, most: int) -> Columns:
    if len(points) > most:
        return _columns(stored.spans(points, _span_for(points[0][0], points[-1][0], most)))
    if not points:
        return Columns()
    times, values = zip(*points, strict=True)
    return Columns(times=times, values=values, lows=values, highs=values)


def _of_hours(found: Columns, most: int) -> Columns:
    if len(found.times) <= most:
        return found
    longer = _span_for(found.times[0], found.times[-1], most)
    rows = zip(found.times, found.values, found.lows, found.highs, strict=True)
    groups = (list(group) for _, group in groupby(rows, lambda row: row[0] // longer))
    return _columns(
        [
            Span(
                group[0][0] - group[0][0] % longer, sum(row[1] for row in group) / len(group),
                min(row[2] for row in group), max(row[3] for row in group),
            )
            for group in groups
        ]
    )  # fmt: skip


def _span_for(first: int, last: int, most: int) -> int:
    """Seconds of spans of which at most `most` reach from `first` to `last`."""
    days = (DAY_S << power for power in count(1))
    return next(one for one in chain(_ROUND_S, days) if last // one - first // one < most)


def _columns(found: list[Span]) -> Columns:
    if not found:
        return Columns()
    times, values, lows, highs = zip(*found, strict=True)
    return Columns(times=times, values=values, lows=lows, highs=highs)

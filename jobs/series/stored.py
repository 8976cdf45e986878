"""Reads and writes what lies in the file: means of a minute by the hour, and hourly spans by the day.

Minutes lie in the order of time, since those of all series are written at once; hours in the order of their
series, since years of one are read at once.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable
from itertools import groupby

from jobs.series.packed import NOTHING, pack, unpack
from jobs.series.values import DAY_S, HOUR_S, MINUTE_S, Columns, Span

_IN_HOUR, _IN_DAY = HOUR_S // MINUTE_S, DAY_S // HOUR_S
# Hour by hour: the key begins with the hour, and one condition on a range of it would read every series.
_MINUTES = (
    "WITH RECURSIVE wanted(hour) AS "
    "(SELECT :first UNION ALL SELECT hour + 3600 FROM wanted WHERE hour + 3600 <= :last) "
    "SELECT minutes.hour, packed FROM wanted "
    "JOIN minutes ON minutes.hour = wanted.hour AND series = :series ORDER BY 1"
)


def minutes(file: sqlite3.Connection, number: int, since: int, until: int) -> list[tuple[int, float]]:
    """The minutes that begin between two times, both included."""
    rows = file.execute(_MINUTES, {"first": since - since % HOUR_S, "last": until, "series": number})
    return [
        (time, value)
        for hour, packed in rows
        for time, value in zip(range(hour, hour + HOUR_S, MINUTE_S), unpack(packed), strict=True)
        if since <= time <= until and not math.isnan(value)
    ]


def keep_minutes(file: sqlite3.Connection, number: int, found: Iterable[tuple[int, float]]) -> None:
    """Add minutes, in the order of their times, to those that are there."""
    for hour, points in groupby(found, lambda point: point[0] - point[0] % HOUR_S):
        row = file.execute(
            "SELECT packed FROM minutes WHERE hour = ? AND series = ?", (hour, number)
        ).fetchone()
        values = list(unpack(row[0])) if row else [NOTHING] * _IN_HOUR
        for time, value in points:
            values[(time - hour) // MINUTE_S] = value
        file.execute("INSERT OR REPLACE INTO minutes VALUES (?, ?, ?)", (hour, number, pack(values)))


def hours(file: sqlite3.Connection, number: int, since: int, until: int) -> Columns:
    """The hours that begin between two times, both included."""
    rows = file.execute(
        "SELECT day, packed FROM hours WHERE series = ? AND day BETWEEN ? AND ? ORDER BY day",
        (number, since - since % DAY_S, until),
    )
    times: list[int] = []
    columns: tuple[list[float], ...] = ([], [], [])
    for day, packed in rows:
        values = unpack(packed)
        there = [
            hour
            for hour in range(_IN_DAY)
            if since <= day + hour * HOUR_S <= until and not math.isnan(values[hour])
        ]
        times += [day + hour * HOUR_S for hour in there]
        for place, column in enumerate(columns):
            column += [values[place * _IN_DAY + hour] for hour in there]
    return Columns(
        times=tuple(times), values=tuple(columns[0]), lows=tuple(columns[1]), highs=tuple(columns[2])
    )


def keep_day(file: sqlite3.Connection, number: int, day: int) -> None:
    """Make the hours of a day from its minutes, beside those that are there and have none any more."""
    made = spans(minutes(file, number, day, day + DAY_S - 1), HOUR_S)
    kept = hours(file, number, day, day + DAY_S - 1)
    rows = zip(kept.times, kept.values, kept.lows, kept.highs, strict=True)
    known = {time: Span(time, *row) for time, *row in rows} | {one.time: one for one in made}
    if known:
        nothing = Span(0, NOTHING, NOTHING, NOTHING)
        row = [known.get(hour, nothing) for hour in range(day, day + DAY_S, HOUR_S)]
        packed = pack([*(one.mean for one in row), *(one.low for one in row), *(one.high for one in row)])
        file.execute("INSERT OR REPLACE INTO hours VALUES (?, ?, ?)", (number, day, packed))


def spans(points: Iterable[tuple[int, float]], step: int) -> list[Span]:
    """Means over `step` seconds of points in the order of their times."""
    found = []
    for time, group in groupby(points, lambda point: point[0] - point[0] % step):
        values = [value for _, value in group]
        found.append(Span(time, math.fsum(values) / len(values), min(values), max(values)))
    return found

"""Takes over a file of series of the first version: single points, and means over 5 minutes and an hour."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from jobs.series import stored
from jobs.series.values import DAY_S, MINUTE_S

_TABLES = ("raw", "five", "hour", "series", "thinned")
# Each five minutes hold one point, in their first minute.
_POINTS = (
    "SELECT series.name, time, mean FROM hour JOIN series ON series.id = series "
    "WHERE time < (SELECT coalesce(min(time), 1 << 40) FROM five) "
    "UNION ALL SELECT series.name, time, mean FROM five JOIN series ON series.id = series "
    "UNION ALL SELECT series.name, time, value FROM raw JOIN series ON series.id = series "
    "WHERE time > (SELECT coalesce(max(time), 0) + 299 FROM five)"
)

Kept = dict[str, list[tuple[int, float]]]


def taken_out(file: sqlite3.Connection) -> Kept:
    """Times and values by the name of their series; the tables are gone afterwards."""
    kept: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for name, time, value in file.execute(_POINTS):
        kept[name].append((time, value))
    for table in _TABLES:
        file.execute(f"DROP TABLE {table}")
    return kept


def put_back(file: sqlite3.Connection, kept: Kept) -> None:
    """Into tables of today."""
    for name, points in kept.items():
        insert = "INSERT INTO series (name) VALUES (?) RETURNING id"
        (number,) = file.execute(insert, (name,)).fetchone()
        spans = stored.spans(sorted(points), MINUTE_S)
        stored.keep_minutes(file, number, [span[:2] for span in spans])
        for day in sorted({time - time % DAY_S for time, _ in points}):
            stored.keep_day(file, number, day)

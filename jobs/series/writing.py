"""Adds points, and makes few of many as they grow old."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from jobs.series.file import opened
from jobs.series.values import KEPT_S, RAW_KEPT_S, Point


def record(points: Iterable[Point]) -> None:
    """Add points; a second one at the same second takes the place of the first."""
    points = list(points)
    if not points:
        return
    with opened(to_write=True) as file:
        names = sorted({point.name for point in points})
        file.executemany("INSERT OR IGNORE INTO series (name) VALUES (?)", ((name,) for name in names))
        numbers = {name: number for number, name in file.execute("SELECT id, name FROM series")}
        file.executemany(
            "INSERT OR REPLACE INTO raw VALUES (?, ?, ?)",
            ((numbers[point.name], point.time, point.value) for point in points),
        )


def thin(moment: datetime) -> None:
    """Add the averages of all spans that are over, and drop what was kept long enough.

    Both lengths are made from raw points, which stay until the averages they belong to were made.
    """
    now = int(moment.timestamp())
    with opened(to_write=True) as file:
        done = dict(file.execute("SELECT step, until FROM thinned"))
        for step, (table, _) in KEPT_S.items():
            until = now - now % step
            if until <= done.get(step, 0):
                continue
            # From the names on, so that each series is one short search in the table's own order.
            file.execute(
                f"INSERT OR REPLACE INTO {table} "  # noqa: S608 - a name of our own
                "SELECT raw.series, raw.time - raw.time % :step, avg(value), min(value), max(value) "
                "FROM series JOIN raw ON raw.series = series.id AND raw.time >= :since AND raw.time < :until "
                "GROUP BY 1, 2",
                {"step": step, "since": done.get(step, 0), "until": until},
            )
            file.execute("INSERT OR REPLACE INTO thinned VALUES (?, ?)", (step, until))
            if step == max(KEPT_S):
                for name, seconds in (("raw", RAW_KEPT_S), *KEPT_S.values()):
                    file.execute(f"DELETE FROM {name} WHERE time < ?", (min(until, now - seconds),))  # noqa: S608

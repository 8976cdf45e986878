"""Adds points, and makes few of many as they grow old."""

from __future__ import annotations

import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from jobs.series import recent, stored
from jobs.series.file import opened, surviving
from jobs.series.values import (
    DAY_S,
    HOURS_KEPT_S,
    LATE_S,
    MINUTE_S,
    MINUTES_KEPT_S,
    RECENT_KEPT_S,
    Point,
)


@surviving(lambda: None)
def record(points: Iterable[Point]) -> None:
    """Add points; a second one within the same ten seconds takes the place of the first.

    What is older than a day goes into the file at once.
    """
    points = list(points)
    if not points:
        return
    names = {point.name for point in points}
    with opened() as file:
        store, numbers = _numbers(file, names)
    if numbers.keys() != names:
        with opened(to_write=True) as file:
            file.executemany(
                "INSERT OR IGNORE INTO series (name) VALUES (?)", ((name,) for name in sorted(names))
            )
            store, numbers = _numbers(file, names)
    edge = int(time.time()) - RECENT_KEPT_S
    recent.write(store, ((numbers[name], at, value) for name, at, value in points if at > edge))
    if old := [point for point in points if point.time <= edge]:
        with opened(to_write=True) as file:
            _keep_old(file, numbers, old)


@surviving(lambda: None)
def flush(moment: datetime) -> None:
    """Write down the minutes that are over, and the hours of days that are over; drop what is too old.

    A clock that was set back is no harm: what is measured again takes the place of what was there. Nor is one
    that is ahead: see `_edge`.
    """
    now = int(moment.timestamp())
    minute, today = now - now % MINUTE_S, now - now % DAY_S
    with opened(to_write=True) as file:
        store, flushed, summed = file.execute("SELECT id, flushed, summed FROM store").fetchone()
        numbers = [number for (number,) in file.execute("SELECT id FROM series")]
        since = max(min(flushed, now) - LATE_S, now - RECENT_KEPT_S)
        since -= since % MINUTE_S
        for number, points in recent.read(store, numbers, since, minute - 1).items():
            stored.keep_minutes(file, number, [span[:2] for span in stored.spans(points, MINUTE_S)])
        if summed != today:
            _sum_days(file, min(summed or today - MINUTES_KEPT_S, today) - DAY_S, today)
            _drop_old(file, now, kept=set(recent.read(store, numbers, now - RECENT_KEPT_S, now)))
            recent.compact(store, now - RECENT_KEPT_S)
        file.execute("UPDATE store SET flushed = ?, summed = ?", (minute, today))


def _numbers(file: sqlite3.Connection, names: set[str]) -> tuple[str, dict[str, int]]:
    (store,) = file.execute("SELECT id FROM store").fetchone()
    return store, {
        name: number for number, name in file.execute("SELECT id, name FROM series") if name in names
    }


def _keep_old(file: sqlite3.Connection, numbers: dict[str, int], old: list[Point]) -> None:
    by_number: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for name, at, value in sorted(old):
        by_number[numbers[name]].append((at, value))
    for number, points in by_number.items():
        stored.keep_minutes(file, number, [span[:2] for span in stored.spans(points, MINUTE_S)])
        for day in sorted({at - at % DAY_S for at, _ in points}):
            stored.keep_day(file, number, day)


def _sum_days(file: sqlite3.Connection, since: int, until: int) -> None:
    """The hours of all series from one day to before another."""
    for day in range(since - since % DAY_S, until, DAY_S):
        rows = file.execute(
            "SELECT DISTINCT series FROM minutes WHERE hour >= ? AND hour < ?", (day, day + DAY_S)
        ).fetchall()
        for (number,) in rows:
            stored.keep_day(file, number, day)


def _drop_old(file: sqlite3.Connection, now: int, *, kept: set[int]) -> None:
    days = [day for (day,) in file.execute("SELECT DISTINCT day FROM hours ORDER BY day DESC")]
    file.execute("DELETE FROM minutes WHERE hour < ?", (_edge(days, now, MINUTES_KEPT_S),))
    file.execute("DELETE FROM hours WHERE day < ?", (_edge(days, now, HOURS_KEPT_S),))
    rows = file.execute(
        "SELECT id FROM series WHERE NOT EXISTS (SELECT 1 FROM hours WHERE hours.series = series.id) "
        "AND NOT EXISTS (SELECT 1 FROM minutes WHERE minutes.series = series.id AND minutes.hour > ?)",
        (now - DAY_S,),
    ).fetchall()
    file.executemany("DELETE FROM series WHERE id = ?", [row for row in rows if row[0] not in kept])


def _edge(days: list[int], now: int, kept_s: int) -> int:
    """What lies before it may go: it is too old, and as many later days were measured as are kept. By the
    date alone, a clock that is years ahead for an hour would end all history."""
    count = kept_s // DAY_S
    return min(now - kept_s, days[count - 1]) if len(days) >= count else 0

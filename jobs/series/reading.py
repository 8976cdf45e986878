"""Reads series back, as fine as they were kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

from jobs.series.file import opened
from jobs.series.values import DAY_S, KEPT_S, RAW_KEPT_S, Columns

_RAW_SPAN_S = 26 * 3600  # what is longer is drawn from averages: as many points as anyone can see
_FIVE_SPAN_S = 31 * DAY_S


def known(name: str) -> bool:
    """Whether there ever was a series of that name."""
    with opened() as file:
        return file.execute("SELECT 1 FROM series WHERE name = ?", (name,)).fetchone() is not None


def read(name: str, since: datetime, until: datetime) -> Columns:
    """The series between two times, both included; empty where there is none.

    Raw for up to a day, then means of 5 minutes for up to a month, then hourly ones; coarser where the finer
    ones are no longer kept. The times of means are the beginnings of their spans.
    """
    start, end, now = (int(moment.timestamp()) for moment in (since, until, datetime.now(UTC)))
    with opened() as file:
        row = file.execute("SELECT id FROM series WHERE name = ?", (name,)).fetchone()
        if row is None:
            return Columns()
        step = _step(start, end, now)
        rows = _raw(file, row[0], start, end) if step == 0 else _means(file, row[0], start, end, step)
    if not rows:
        return Columns()
    times, values, lows, highs = zip(*rows, strict=True)
    return Columns(times=times, values=values, lows=lows, highs=highs)


def newest(kinds: Iterable[str], *, since: datetime) -> dict[str, float]:
    """The last value of every series `<kind>:…`, by its name, that is not older than `since`."""
    found: dict[str, float] = {}
    with opened() as file:
        for kind in kinds:
            rows = file.execute(
                "SELECT name, (SELECT value FROM raw WHERE series = id AND time >= ? "
                "ORDER BY time DESC LIMIT 1) FROM series WHERE name > ? AND name < ?",
                (int(since.timestamp()), f"{kind}:", f"{kind};"),  # a semicolon follows the colon in ASCII
            )
            found |= {name: value for name, value in rows if value is not None}
    return found


def _step(since: int, until: int, now: int) -> int:
    if until - since <= _RAW_SPAN_S and since >= now - RAW_KEPT_S:
        return 0
    five_kept = KEPT_S[300][1]
    return 300 if until - since <= _FIVE_SPAN_S and since >= now - five_kept else 3600


def _raw(
    file: sqlite3.Connection, number: int, since: int, until: int
) -> list[tuple[int, float, float, float]]:
    return file.execute(
        "SELECT time, value, value, value FROM raw WHERE series = ? AND time BETWEEN ? AND ? ORDER BY time",
        (number, since, until),
    ).fetchall()


def _means(
    file: sqlite3.Connection, number: int, since: int, until: int, step: int
) -> list[tuple[int, float, float, float]]:
    """The stored means, and those of the points that are not thinned yet."""
    done = file.execute("SELECT until FROM thinned WHERE step = ?", (step,)).fetchone()
    table = KEPT_S[step][0]
    return file.execute(
        f"SELECT time, mean, low, high FROM {table} "  # noqa: S608 - a name of our own
        "WHERE series = :series AND time BETWEEN :since AND :until "
        "UNION ALL SELECT time - time % :step, avg(value), min(value), max(value) FROM raw "
        "WHERE series = :series AND time BETWEEN max(:since, :done) AND :until GROUP BY 1 ORDER BY 1",
        {
            "series": number, "since": since - since % step, "until": until, "step": step,
            "done": done[0] if done else 0,
        },
    ).fetchall()  # fmt: skip

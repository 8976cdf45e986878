"""The lines of a chart, side by side at common times."""

from __future__ import annotations

import msgspec

from frontend.charts.asked import Asked
from jobs import series

Value = float | None


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Times in seconds since 1970, and a value of each line at each of them; None where it has none.

    `subjects` has a number for each line: 0, or 1 for a line of the second subject.
    """

    labels: tuple[str, ...]
    subjects: tuple[int, ...]
    times: tuple[int, ...]
    values: tuple[tuple[Value, ...], ...]


def columns_of(asked: Asked, *, most: int) -> Columns:
    """At most `most` points a line. Lines without any point are left out: not every machine has an L2ARC."""
    found = [
        (label, which, series.read(name, asked.since, asked.until, most=most))
        for label, which, name in asked.series()
    ]
    lines = [(label, which, one) for label, which, one in found if one.times]
    maps = [dict(zip(one.times, one.values, strict=True)) for _, _, one in lines]
    times = sorted(set().union(*maps))
    return Columns(
        labels=tuple(label for label, _, _ in lines),
        subjects=tuple(which for _, which, _ in lines),
        times=tuple(times),
        values=tuple(tuple(one.get(time) for time in times) for one in maps),
    )

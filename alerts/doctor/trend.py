"""When a pool is full, by how it grew: a straight line through the days, with an honest range.

Ordinary least squares over one value a day; the slope's 95 % interval with Student's t (Press et al.,
"Numerical Recipes", 15.2). Days are not independent, and people copy in bursts, so the interval is the least
that has to be owned up to, never a promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec

FEWEST_DAYS = 7
_DAY_S = 86_400
# Student's t for 95 %, two-sided, by degrees of freedom (5, 6, …); the last holds for all above.
_T95 = {5: 2.571, 6: 2.447, 8: 2.306, 10: 2.228, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.0}
_FOREVER_DAYS = 3650.0


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """Growth in bytes a day, and the days until full: the earliest and the latest that the data allow.

    `latest_days` is None where it may as well not grow at all; both are None where it does not.
    """

    bytes_per_day: float
    earliest_days: float | None
    latest_days: float | None
    seen_days: int


def until_full(times: Sequence[int], used: Sequence[float], room_bytes: float) -> Trend | None:
    """Days until `room_bytes` more are used. None while fewer than seven days are known.

    `times` are seconds since 1970; of each day the last value counts.
    """
    days = {time // _DAY_S: value for time, value in sorted(zip(times, used, strict=True))}
    if len(days) < FEWEST_DAYS:
        return None
    xs, ys = [float(day) for day in days], list(days.values())
    slope, margin = _line(xs, ys)
    fast, slow = slope + margin, slope - margin
    least_that_counts = room_bytes / _FOREVER_DAYS
    return Trend(
        bytes_per_day=slope,
        earliest_days=room_bytes / fast if fast > least_that_counts else None,
        latest_days=room_bytes / slow if slow > least_that_counts else None,
        seen_days=round(xs[-1] - xs[0]) + 1,
    )


def _line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    count = len(xs)
    mean_x, mean_y = sum(xs) / count, sum(ys) / count
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    residue = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in zip(xs, ys, strict=True))
    free = count - 2
    return slope, _t95(free) * sqrt(residue / free / spread)


def _t95(free: int) -> float:
    return _T95[max(known for known in _T95 if known <= free)]

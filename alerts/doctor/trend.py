"""When a pool is full, by how it grew: a robust line through the days, with an honest range.

The slope is the median of the slopes between all pairs of days (Theil-Sen): a week in which somebody copied
an old archive hardly moves it. Its 95 % interval is Sen's, from the ordered slopes (P. K. Sen 1968,
"Estimates of the regression coefficient based on Kendall's tau", 3; R. O. Gilbert 1987, "Statistical
methods for environmental pollution monitoring", 16.4.2). Days are not independent, so the interval is the
least that has to be owned up to, never a promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from statistics import median

import msgspec

FEWEST_DAYS = 7
_DAY_S = 86_400
_Z95 = 1.96  # of the normal distribution, two-sided
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
    slope, slow, fast = _slope(days)
    least_that_counts = room_bytes / _FOREVER_DAYS
    return Trend(
        bytes_per_day=slope,
        earliest_days=room_bytes / fast if fast > least_that_counts else None,
        latest_days=room_bytes / slow if slow > least_that_counts else None,
        seen_days=max(days) - min(days) + 1,
    )


def _slope(days: dict[int, float]) -> tuple[float, float, float]:
    """The slope in bytes a day, and the ends of its interval."""
    slopes = sorted(
        (later - earlier) / (day - before)
        for (before, earlier), (day, later) in combinations(days.items(), 2)
    )
    count = len(days)
    spread = _Z95 * sqrt(count * (count - 1) * (2 * count + 5) / 18)
    low = max(round((len(slopes) - spread) / 2) - 1, 0)
    high = min(round((len(slopes) + spread) / 2), len(slopes) - 1)
    return median(slopes), slopes[low], slopes[high]

"""What goes into a series, what comes out, and how long it is kept."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

SLOT_S, MINUTE_S, HOUR_S, DAY_S = 10, 60, 3600, 86_400
# 25.6 hours of slots: as many as fill whole pages of memory.
SLOTS = 9216
RECENT_KEPT_S = 25 * HOUR_S
LATE_S = 15 * MINUTE_S  # a point may be recorded so long after it was measured
MINUTES_KEPT_S = 31 * DAY_S
# Eight series of a disk come to less than 3 MiB after two years, whatever was measured: see
# tests/jobs/test_series_size.py.
HOURS_KEPT_S = 731 * DAY_S
ROUNDING = 1 / 30_000  # of a value that is older than a day: that of its minute and that of its hour


class Point(NamedTuple):
    """A value of the series `name` at `time` (seconds since 1970). Kept as a 32-bit float, and with
    `ROUNDING` once it is older than a day."""

    name: str
    time: int
    value: float


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Values in the order of their times (seconds since 1970). `lows` and `highs` are the extremes of the
    span that a value is the mean of, by the minute; of points and minutes they are the values themselves."""

    times: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    lows: tuple[float, ...] = ()
    highs: tuple[float, ...] = ()


class Span(NamedTuple):
    """The mean of the values from `time` on, with their extremes."""

    time: int
    mean: float
    low: float
    high: float

"""What goes into a series, what comes out, and how long it is kept."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

DAY_S = 86_400
RAW_KEPT_S = 2 * DAY_S
# For each length of averages in seconds: its table, and how long it is kept. With three series for a disk
# (temperature every 5 minutes, bytes read and written every minute) it comes to 3 MiB for each disk after two
# years, and no more: 18 MiB for six disks, 300 MiB for 102. Measured with a file filled to the end.
KEPT_S: dict[int, tuple[str, int]] = {300: ("five", 31 * DAY_S), 3600: ("hour", 731 * DAY_S)}


class Point(NamedTuple):
    """A value of the series `name` at `time` (seconds since 1970)."""

    name: str
    time: int
    value: float


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Values in the order of their times (seconds since 1970). `lows` and `highs` are the extremes of the
    span that a value is the mean of; of raw points they are the values themselves."""

    times: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    lows: tuple[float, ...] = ()
    highs: tuple[float, ...] = ()

"""What a disk counts, over weeks and months. Pure; `disks.verdict` judges one reading and the week before it.

- A count of bad sectors that rises is the sign that most failures had before them (see `disks.verdict`),
  also where the last rise is some weeks old.
- CRC errors rise where a cable, a connector or the backplane is bad; the disk is not the cause.
- Wear goes on as it went: the slope is the median of the slopes between all pairs of weeks (Sen, "Estimates
  of the regression coefficient based on Kendall's tau", 1968), which some odd weeks do not move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations
from statistics import median
from typing import Literal

import msgspec

from host.inventory import SmartReading
from jobs.wording import counted

LOOKED_BACK = timedelta(days=90)
_CRC_BACK = timedelta(days=30)
# Wear is a whole percentage: with less of a rise, or of a time, the slope is mostly rounding.
_LEAST_DAYS, _LEAST_RISE, _FEWEST = 60, 3, 6
SOON_DAYS, AT_ONCE_DAYS, _FOREVER_DAYS = 365, 90, 3650
_SPARE_FALL = 3  # percent

Code = Literal["sectors-rising", "crc-rising", "wear-ending", "spare-falling"]


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """What a disk counted on a day; None for what it does not count."""

    day: date
    reallocated: int | None = None
    pending: int | None = None
    uncorrectable: int | None = None
    crc: int | None = None
    wear: int | None = None
    spare: int | None = None


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """What moves, in words, and what to do about it."""

    code: Code
    words: str
    advice: str
    severity: Literal["warning", "advice"] = "warning"


class WearOut(msgspec.Struct, frozen=True, kw_only=True):
    """The day on which 100 % of the rated endurance will be used, at the pace of the days that are known."""

    day: date
    percent_a_year: float


_SECTORS = (
    ("reallocated", "reallocated sector"),
    ("pending", "pending sector"),
    ("uncorrectable", "uncorrectable sector"),
)


def counted_on(reading: SmartReading, day: date) -> Counted:
    """A reading as what was counted on a day."""
    return Counted(
        day=day, reallocated=reading.reallocated_sectors, pending=reading.pending_sectors,
        uncorrectable=reading.uncorrectable_sectors, crc=reading.crc_errors, wear=reading.wear_percent,
        spare=reading.spare_percent,
    )  # fmt: skip


def trends(days: Sequence[Counted], today: date) -> tuple[Trend, ...]:
    """All that moves, by `days`, oldest first, of which the last is what it counts now."""
    return (*_sectors(days, today), *_crc(days, today), *_wear(days, today), *_spare(days, today))


def wears_out(days: Sequence[Counted], today: date) -> WearOut | None:
    """None where too little is known, or where it does not wear within ten years."""
    by_week = {one.day.toordinal() // 7: (one.day, one.wear) for one in days if one.wear is not None}
    points = list(by_week.values())
    if len(points) < _FEWEST:
        return None
    (first, least), (last, most) = points[0], points[-1]
    if (last - first).days < _LEAST_DAYS or most - least < _LEAST_RISE:
        return None
    slopes = [(b - a) / (later - earlier).days for (earlier, a), (later, b) in combinations(points, 2)]
    slope = median(slopes)
    if slope <= 0 or (left := max(0.0, (100 - most) / slope)) > _FOREVER_DAYS:
        return None
    return WearOut(day=max(last + timedelta(days=round(left)), today), percent_a_year=365 * slope)


def _sectors(days: Sequence[Counted], today: date) -> Iterator[Trend]:
    for field, noun in _SECTORS:
        if (rise := _rise(days, field, today - LOOKED_BACK)) is not None:
            since, before, now = rise
            yield Trend(
                code="sectors-rising",
                words=f"{counted(now, noun)}, {now - before} more since {since}",
                advice="Plan to replace the disk, and make sure that its data exists elsewhere.",
            )


def _crc(days: Sequence[Counted], today: date) -> Iterator[Trend]:
    if (rise := _rise(days, "crc", today - _CRC_BACK)) is not None:
        since, before, now = rise
        yield Trend(
            code="crc-rising",
            words=f"{counted(now - before, 'new CRC error')} since {since}, {now} in all",
            advice="Suspect the cable, the connector or the backplane, not the disk: reseat it, then try "
            "another cable or bay.",
        )


def _wear(days: Sequence[Counted], today: date) -> Iterator[Trend]:
    end = wears_out(days, today)
    if end is None or (left := (end.day - today).days) > SOON_DAYS:
        return
    now = next(one.wear for one in reversed(days) if one.wear is not None)
    yield Trend(
        code="wear-ending",
        words=f"{now} % of the rated endurance is used, {end.percent_a_year:.0f} % more a year: all of it "
        f"about {end.day:%B %Y}",
        advice="Plan to replace it by then; look what writes so much.",
        severity="warning" if left <= AT_ONCE_DAYS else "advice",
    )


def _spare(days: Sequence[Counted], today: date) -> Iterator[Trend]:
    known = [(one.day, one.spare) for one in days if one.spare is not None and one.day >= today - LOOKED_BACK]
    if not known:
        return
    now, best = known[-1][1], max(value for _, value in known)
    if best - now >= _SPARE_FALL:
        since = max(day for day, value in known if value == best)
        yield Trend(
            code="spare-falling",
            words=f"{now} % of the spare blocks are left, {best - now} % less than on {since}",
            advice="Blocks of it wear out. Plan to replace the disk.",
        )


def _rise(days: Sequence[Counted], field: str, since: date) -> tuple[date, int, int] | None:
    """The last day on which it was lowest, what it was then, and what it is now; None where it is lowest
    now."""
    known: list[tuple[date, int]] = [
        (one.day, value) for one in days if one.day >= since and (value := getattr(one, field)) is not None
    ]
    if not known:
        return None
    now, least = known[-1][1], min(value for _, value in known)
    if now <= least:
        return None
    return max(day for day, value in known if value == least), least, now

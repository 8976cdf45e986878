"""When a digest or a "still alive" message is due. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from alerts.channels.decide import rebased
from jobs.schedules import cron

Every = Literal["daily", "weekly", "monthly"]
PERIODS: dict[Every, timedelta] = {
    "daily": timedelta(days=1), "weekly": timedelta(days=7), "monthly": timedelta(days=31)
}  # fmt: skip


class Time(msgspec.Struct, frozen=True, kw_only=True):
    """Daily, weekly on a day, or on the first of each month, at a time of day."""

    every: Every
    at: str  # HH:MM
    weekday: str  # in English, in full
    time_zone: str


def is_due(time: Time, last: datetime, now: datetime) -> bool:
    """Whether a time has come since `last`. Of several that a machine slept through one is made up for; what
    a clock left in the future counts as now."""
    hour, minute = (int(part) for part in time.at.split(":"))
    days = {"daily": "* * *", "weekly": f"* * {time.weekday[:3]}", "monthly": "1 * *"}[time.every]
    since = max(rebased(last, now), now - 2 * PERIODS[time.every])
    return cron.latest(f"{minute} {hour} {days}", time.time_zone, since, now) is not None

"""Self-tests on schedule in sentences."""

from __future__ import annotations

from disks.self_tests.settings import WEEKDAYS, DiskSchedule, SelfTestSettings
from jobs.schedules.sentence import DAYS
from jobs.wording import capital, listed


def begins(settings: SelfTestSettings) -> str:
    """When tests begin: `begun on Saturday and Sunday between 01:00 and 06:00`."""
    days = "any day" if settings.weekdays == WEEKDAYS else listed([DAYS[day] for day in settings.weekdays])
    if settings.from_hour == settings.until_hour:
        return f"begun on {days} at any time"
    return f"begun on {days} between {settings.from_hour:02}:00 and {settings.until_hour:02}:00"


def intervals(schedule: DiskSchedule, settings: SelfTestSettings) -> str:
    """What one disk has: `Short every 7 days and long every 30 days`."""
    if schedule.which == "off" or not settings.enabled:
        return "None"
    short, long = (schedule.days(kind, settings) for kind in ("short", "long"))
    said = [f"short {every(short)}"] if short else []
    said += [f"long {every(long)}"] if long else []
    return capital(listed(said)) or "None"


def every(days: int) -> str:
    """`every 7 days`, `every day`."""
    return "every day" if days == 1 else f"every {days} days"

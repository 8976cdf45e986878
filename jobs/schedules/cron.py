"""When a schedule's time comes: cron lines in a time zone, safe where clocks are changed.

A time that clocks jump over comes as much later as they jump; one that comes twice counts the first time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from celery.schedules import crontab, crontab_parser

from jobs.planning.findings import Findings

_NUMBER = r"(?:\d{1,2}|[a-z]{3})"
_PART = rf"(?:\*|{_NUMBER}(?:-{_NUMBER})?)"
_FIELD = re.compile(rf"(?:\*(?:/[1-9]\d?)?|{_NUMBER}(?:-{_NUMBER}(?:/[1-9]\d?)?)?)", re.ASCII)
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Name, how many values, the first of them, and the words that may stand for numbers.
_FIELDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("minute", 60, 0, ()),
    ("hour", 24, 0, ()),
    ("day of month", 31, 1, ()),
    ("month", 12, 1, _MONTHS),
    ("day of week", 7, 0, _DAYS),
)
_JUMP = timedelta(hours=3)  # more than any clock is changed by


class BadCron(ValueError):
    """Not a line that can be used; says which of the five fields is wrong, and how to mend it."""


@lru_cache(maxsize=256)
def parse(line: str) -> crontab:
    """The five fields of `line`. Raises `BadCron`."""
    texts = line.strip().lower().split()
    if len(texts) != len(_FIELDS):
        names = ", ".join(name for name, *_ in _FIELDS)
        raise BadCron(
            f"Give five fields ({names}), such as “0 2 1 * *” for 02:00 on the first of each month."
        )
    faults = [fault for text, field in zip(texts, _FIELDS, strict=True) if (fault := _fault(text, *field))]
    if faults:
        raise BadCron(" ".join(faults))
    minute, hour, day, month, weekday = texts
    try:
        return crontab(minute, hour, weekday, day, month)
    except ValueError:
        raise BadCron("None of these months has that day.") from None


def check(line: str, time_zone: str, findings: Findings) -> None:
    """Adds findings on the fields `cron` and `time_zone` where a schedule cannot use them."""
    try:
        parse(line)
        if len(crontab_parser(60).parse(line.split()[0])) > 1:
            raise BadCron("minute: give one number. A schedule runs at most once an hour.")
        next(upcoming(line, "UTC", datetime(2026, 1, 1, tzinfo=UTC)))
    except BadCron as bad:
        findings.error("bad-cron", "cron", str(bad))
    except RuntimeError:
        findings.error(
            "bad-cron", "cron", "No day matches both the day of the month and the day of the week."
        )
    if time_zone not in zones():
        message = "There is no such time zone. Use an IANA name, such as Europe/Berlin or UTC."
        findings.error("bad-time-zone", "time_zone", message)


@cache
def zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(available_timezones())


def next_after(line: str, time_zone: str, after: datetime) -> datetime:
    """The first time of the schedule later than `after`, in UTC. Raises `BadCron`."""
    cron, zone = parse(line), ZoneInfo(time_zone)
    # Clocks that were changed can bring times in another order than their faces show them.
    wall = after.astimezone(zone).replace(tzinfo=UTC, fold=0) - _JUMP
    best: datetime | None = None
    limit: datetime | None = None
    while True:
        wall = _next_wall(cron, wall)
        if limit is not None and wall > limit:
            break
        moment = wall.replace(tzinfo=zone).astimezone(UTC)
        if moment > after and (best is None or moment < best):
            best = moment
            limit = limit or wall + _JUMP
    assert best is not None  # noqa: S101 - `limit` is set together with it
    return best


def latest(line: str, time_zone: str, since: datetime, until: datetime) -> datetime | None:
    """The last time later than `since` and not later than `until`; None where there is none."""
    back = timedelta(days=1)
    while True:
        start = max(since, until - back)
        found: datetime | None = None
        for moment in upcoming(line, time_zone, start):
            if moment > until:
                break
            found = moment
        if found is not None or start <= since:
            return found
        back *= 8


def upcoming(line: str, time_zone: str, after: datetime) -> Iterator[datetime]:
    """The times of the schedule later than `after`, in UTC, one after the other."""
    moment = after
    while True:
        moment = next_after(line, time_zone, moment)
        yield moment


def first(count: int, line: str, time_zone: str, after: datetime) -> tuple[datetime, ...]:
    """The next `count` times."""
    return tuple(islice(upcoming(line, time_zone, after), count))


def _next_wall(cron: crontab, wall: datetime) -> datetime:
    """What the clock on the wall shows next: celery's arithmetic on a day without changes."""
    begun, delta, _ = cron.remaining_delta(wall, tz=UTC)
    found: datetime = begun + delta
    return found.replace(second=0, microsecond=0)


def _fault(text: str, name: str, count: int, lowest: int, words: tuple[str, ...]) -> str:
    for part in text.split(","):
        if not _FIELD.fullmatch(part):
            return f"{name}: “{part[:20]}” is not a number, range (1-5), step (*/2) or *."
        unknown = [word for word in re.findall(r"[a-z]+", part) if word not in words]
        if unknown:
            allowed = f"; known are {', '.join(words)}" if words else ""
            return f"{name}: “{unknown[0]}” is not known{allowed}."
        numbers = [int(number) for number in re.findall(r"(?<!/)\b\d+", part.partition("/")[0])]
        if any(not lowest <= number < lowest + count for number in numbers):
            return f"{name}: use numbers from {lowest} to {lowest + count - 1}."
    try:
        crontab_parser(count, lowest).parse(text)
    except (ValueError, crontab_parser.ParseException):
        return f"{name}: “{text[:40]}” cannot be used."
    return ""

"""A cron line as a sentence, and the choices of a picker that make one.

In a line of ours all five fields must fit (`jobs.schedules.cron`): `0 2 1-7 * sun` is the first Sunday.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

DAYS = {
    "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday",
    "sat": "Saturday", "sun": "Sunday",
}  # fmt: skip
WEEKS = {"1-7": "first", "8-14": "second", "15-21": "third", "22-28": "fourth"}
EVERY = {"day": "Every day", "week": "Every week", "month": "Every month", "custom": "A cron line"}
_NUMBERED = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


class Picked(NamedTuple):
    """What a picker shows: of a week the `day`, of a month `week` and `day`; `cron` where no choice fits."""

    every: str = "month"
    time: str = "02:00"
    day: str = "sun"
    week: str = "1-7"
    cron: str = ""

    def line(self) -> str:
        """The cron line; what is no time stays in it, so that the check of the line names it."""
        hour, _, minute = self.time.partition(":")
        at = f"{int(minute) if minute.isdecimal() else minute} {int(hour) if hour.isdecimal() else hour}"
        match self.every:
            case "day":
                return f"{at} * * *"
            case "week":
                return f"{at} * * {self.day}"
            case "month":
                return f"{at} {self.week} * {self.day}"
            case _:
                return self.cron


def picked(line: str) -> Picked:
    """The choices that make `line`; the line itself where none do."""
    parts = line.lower().split()
    custom = Picked(every="custom", cron=line)
    if len(parts) != 5 or not (parts[0].isdecimal() and parts[1].isdecimal()) or parts[3] != "*":
        return custom
    time = f"{int(parts[1]):02}:{int(parts[0]):02}"
    day = _day(parts[4])
    if parts[2] == "*":
        if parts[4] == "*":
            return Picked(every="day", time=time, cron=line)
        return Picked(every="week", time=time, day=day, cron=line) if day else custom
    if parts[2] in WEEKS and day:
        return Picked(every="month", time=time, day=day, week=parts[2], cron=line)
    return custom


def typed(sent: Mapping[str, str]) -> Picked:
    """The choices of a form that was sent. What is none of them counts as a line that was typed."""
    every = sent.get("every", "custom")
    day, week = sent.get("day", "sun"), sent.get("week", "1-7")
    cron = sent.get("cron", "").strip()
    if every not in EVERY or day not in DAYS or week not in WEEKS:
        return Picked(every="custom", cron=cron)
    return Picked(every=every, time=sent.get("time", "").strip(), day=day, week=week, cron=cron)


def sentence(line: str) -> str:
    """`0 2 1-7 * sun` → `on the first Sunday of each month at 02:00`; else `at` and the line itself."""
    choice = picked(line)
    match choice.every:
        case "day":
            return f"every day at {choice.time}"
        case "week":
            return f"every {DAYS[choice.day]} at {choice.time}"
        case "month":
            return f"on the {WEEKS[choice.week]} {DAYS[choice.day]} of each month at {choice.time}"
        case _:
            return _by_hour(line) or _by_date(line) or f"at {line}"


def on_the_wall(time: datetime, time_zone: str) -> str:
    """What the clocks of a time zone show then: `Sun 2026-12-06 02:00 Europe/Berlin`."""
    return f"{time.astimezone(ZoneInfo(time_zone)):%a %Y-%m-%d %H:%M} {time_zone}"


def _by_hour(line: str) -> str | None:
    """`0 * * * *` → `every hour`, `7 */6 * * *` → `every 6 hours at :07`; None of any other kind."""
    found = re.fullmatch(r"(\d{1,2}) \*(?:/(\d{1,2}))? \* \* \*", line.strip())
    if not found:
        return None
    minute, hours = int(found[1]), found[2]
    if hours is not None and (int(hours) < 2 or 24 % int(hours)):
        return None
    every = f"every {int(hours)} hours" if hours else "every hour"
    return f"{every} at :{minute:02}" if minute else every


def _by_date(line: str) -> str | None:
    """`0 2 1 */3 *` → `on the 1st of every 3rd month at 02:00`; None of any other kind."""
    found = re.fullmatch(r"(\d{1,2}) (\d{1,2}) (\d{1,2}) \*(?:/(\d{1,2}))? \*", line.strip())
    if not found:
        return None
    minute, hour, day, months = found.groups()
    of = f"every {_nth(int(months))} month" if months else "each month"
    return f"on the {_nth(int(day))} of {of} at {int(hour):02}:{int(minute):02}"


def _nth(number: int) -> str:
    return f"{number}{_ENDINGS.get(number, 'th')}"


def _day(text: str) -> str:
    """`sun`, `0` and `7` → `sun`; empty for several and for none."""
    if text in DAYS:
        return text
    return _NUMBERED[int(text)] if text.isdecimal() and int(text) < 8 else ""

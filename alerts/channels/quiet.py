"""Hours in which only what is serious is sent."""

from __future__ import annotations

import re
from datetime import datetime, time
from zoneinfo import ZoneInfo

import msgspec

CLOCK = r"([01]\d|2[0-3]):[0-5]\d"
_CLOCK = re.compile(CLOCK, re.ASCII)


class Quiet(msgspec.Struct, frozen=True, kw_only=True):
    """From one time of day until another, which may be on the next day; `start` counts, `end` does not."""

    start: str  # HH:MM
    end: str
    time_zone: str

    def holds(self, moment: datetime) -> bool:
        """Whether it is quiet at `moment`."""
        now = moment.astimezone(ZoneInfo(self.time_zone)).time()
        start, end = time.fromisoformat(self.start), time.fromisoformat(self.end)
        return start <= now < end if start <= end else now >= start or now < end


def is_clock(text: str) -> bool:
    """Whether `text` is a time of day."""
    return bool(_CLOCK.fullmatch(text))

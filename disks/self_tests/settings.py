"""When disks test themselves: the settings of the machine, and what one disk has instead."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Kind = Literal["short", "long"]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Which = Literal["usual", "own", "off"]
Days = Annotated[int, Meta(ge=1, le=730)]
Hour = Annotated[int, Meta(ge=0, le=23)]
AtOnce = Annotated[int, Meta(ge=1, le=16)]

KINDS: tuple[Kind, ...] = ("short", "long")
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")  # as datetime counts them


class SelfTestSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Each disk is tested when its last test is `…_days` old; one that sleeps only when it is
    `…_longest_days` old. Tests begin on `weekdays` from `from_hour` until before `until_hour`, by the clocks
    of the machine's time zone; the same hour twice is the whole day, and one that is later than the other
    goes on past midnight. `at_once` disks test themselves at the same time."""

    enabled: bool = True
    short_days: int = 7
    long_days: int = 30
    short_longest_days: int = 30
    long_longest_days: int = 90
    weekdays: tuple[Weekday, ...] = WEEKDAYS
    from_hour: int = 1
    until_hour: int = 6
    at_once: int = 2

    def longest_days(self, kind: Kind) -> int:
        """After how many days even a disk that sleeps is tested."""
        return self.short_longest_days if kind == "short" else self.long_longest_days


class DiskSchedule(msgspec.Struct, frozen=True, kw_only=True):
    """What one disk has: the machine's settings, intervals of its `own`, or no tests. Of its own None means
    never."""

    which: Which = "usual"
    short_days: int | None = None
    long_days: int | None = None

    def days(self, kind: Kind, settings: SelfTestSettings) -> int | None:
        """The interval; None where there is no test of that kind."""
        if self.which == "off" or not settings.enabled:
            return None
        if self.which == "own":
            return self.short_days if kind == "short" else self.long_days
        return settings.short_days if kind == "short" else settings.long_days

"""Whether a schedule's time has come: pure, over what is remembered of it and the clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from host.inventory.schedules import MissedRule
from jobs.schedules import cron

GRACE = timedelta(minutes=10)  # a time seen this late was not missed: the machine was awake, the worker busy
_WRONG_CLOCK = timedelta(days=2)


class Times(msgspec.Struct, frozen=True, kw_only=True):
    """When it shall run."""

    cron: str
    time_zone: str
    missed: MissedRule


class ScheduleState(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered: times up to `handled` are dealt with; `waiting` is one that came while awake."""

    handled: datetime
    waiting: datetime | None = None


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """What to do now, for the time `slot`, and what to remember once that is done."""

    act: Literal["nothing", "run", "wait", "skip"]
    memory: ScheduleState
    slot: datetime | None = None


def judge(times: Times, memory: ScheduleState, now: datetime, *, held_up: bool = False) -> Due:
    """Run once for all times that have come since the last; wait while `held_up`; skip what was missed if
    that is the rule. A time is never run twice, and none is lost that came while the machine was awake."""
    if memory.handled > now + _WRONG_CLOCK:
        # The clock was wrong when that was written. To wait until it is right again could take years.
        memory = ScheduleState(handled=now)
    slot = cron.latest(times.cron, times.time_zone, memory.handled, now)
    if slot is None:
        return Due(act="nothing", memory=memory)
    missed = memory.waiting is None and now - slot > GRACE
    if missed and times.missed == "skip":
        return Due(act="skip", slot=slot, memory=ScheduleState(handled=slot))
    if held_up:
        waiting = ScheduleState(handled=memory.handled, waiting=memory.waiting or slot)
        return Due(act="wait", slot=slot, memory=waiting)
    return Due(act="run", slot=slot, memory=ScheduleState(handled=slot))

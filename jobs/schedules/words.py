"""Schedules in summaries of plans."""

from __future__ import annotations

from datetime import datetime

from host.inventory import Inventory, Schedule
from jobs.schedules import cron
from jobs.schedules.sentence import on_the_wall, sentence
from jobs.schedules.stored import ScheduleSpec
from jobs.wording import counted


def afterwards(what: str, schedule: Schedule | ScheduleSpec, inventory: Inventory) -> str:
    """What a schedule does once it is kept; `what` runs by it, such as `The scheduled scrub of tank`."""
    if not schedule.enabled:
        return f"{what} is paused until you resume it."
    coming = cron.next_after(schedule.cron, schedule.time_zone, datetime.fromisoformat(inventory.as_of))
    then = on_the_wall(coming, schedule.time_zone)
    off = "runs as soon as it is on again" if schedule.missed == "run" else "is skipped"
    result = f"{what} runs {sentence(schedule.cron)} (next: {then}). If the machine is off then, it {off}."
    if schedule.operation != "pool.scrub" or schedule.longest_age_days is None:
        return result
    return f"{result} There is an alert after {counted(schedule.longest_age_days, 'day')} without one."

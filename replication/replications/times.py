"""When a replication runs by itself: a schedule like any other."""

from __future__ import annotations

from host.inventory import Inventory, Schedule
from host.replication.values import Replication
from jobs.schedules.stored import ScheduleSpec
from jobs.schedules.words import afterwards
from replication.replications.wanted import WantedTimes

OPERATION = "replication.run"


def subject_of(task: Replication) -> str:
    """What its schedule is about, for good."""
    return f"replication:{task.key}"


def spec_of(task: Replication, times: WantedTimes) -> ScheduleSpec:
    """The schedule that is kept."""
    return ScheduleSpec(
        subject=subject_of(task), operation=OPERATION, request={"name": task.name}, cron=times.cron,
        time_zone=times.time_zone, enabled=task.enabled,
    )  # fmt: skip


def schedule_of(task: Replication, inventory: Inventory) -> Schedule | None:
    """Its schedule, if it has one."""
    return next((one for one in inventory.schedules if one.subject == subject_of(task)), None)


def next_words(task: Replication, times: WantedTimes | None, inventory: Inventory) -> str:
    """When it runs, as a sentence; empty where it does so only when asked."""
    if times is not None:
        return afterwards("It", spec_of(task, times), inventory)
    return "It runs after each run of the snapshot policies." if task.after_snapshots else ""

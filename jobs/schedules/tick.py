"""Once a minute: submits what is due as ordinary jobs."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from host.inventory import Inventory, Pool, Schedule
from host.inventory.redundancy import resilvering
from jobs import cache, submission
from jobs.models import Job
from jobs.operation import operation
from jobs.plan import Refused
from jobs.rights import Clockwork
from jobs.schedules.due import Due, ScheduleState, Times, judge
from jobs.schedules.models import StoredSchedule
from jobs.schedules.stored import value_of

_log = structlog.get_logger("schedules")
_ENOUGH = {"already-running"}  # what the schedule wants is being done


def _user(schedule: Schedule) -> Clockwork:
    """It may do what the schedule's operation needs, and destroy nothing."""
    name = f"schedule ({schedule.owner})" if schedule.owner else "schedule"
    return Clockwork(name, operation(schedule.operation).scope)


class _Taken(Exception):
    """Another tick was quicker."""


def tick(now: datetime) -> None:
    """Submit what is due of all schedules. What cannot run now is tried again at the next tick."""
    inventory = cache.current()
    if inventory is None:
        return
    for row in StoredSchedule.objects.filter(enabled=True, removed=False):
        try:
            _handle(row, inventory, now)
        except _Taken:
            continue
        except Exception:  # noqa: BLE001 - one that cannot be read must not stop the others
            _log.exception("schedule broke", schedule=row.pk)


def _handle(row: StoredSchedule, inventory: Inventory, now: datetime) -> None:
    schedule = value_of(row, inventory)
    pool = _pool(schedule, inventory)
    if pool is None and schedule.subject.startswith("pool:"):
        return  # not imported now: nothing is missed before it comes back
    times = Times(cron=row.cron, time_zone=row.time_zone, missed=schedule.missed)
    memory = ScheduleState(handled=row.handled, waiting=row.waiting)
    verdict = judge(times, memory, now)
    if verdict.act == "nothing":
        return
    if verdict.act == "skip":
        _write(row, verdict, "The machine was off at that time, and missed times are skipped.")
        return
    problem = _obstacle(pool) if pool else ""
    if not problem:
        try:
            _submit(row, schedule, verdict, now)
            return
        except Refused as refused:
            errors = [finding for finding in refused.findings if finding.level == "error"]
            problem = " ".join(finding.message for finding in errors)
            if errors and all(finding.code in _ENOUGH for finding in errors):
                _write(row, verdict, problem)
                return
        except submission.Busy as busy:
            problem = f"Job {busy.job.pk} holds {'the pool' if pool else 'it'}."
    _write(row, judge(times, memory, now, held_up=True), f"Waits: {problem}")


def _submit(row: StoredSchedule, schedule: Schedule, verdict: Due, now: datetime) -> None:
    """The job and the memory of it are written together, so that no time is run twice or lost between."""
    key = f"schedule-{row.pk}-{verdict.slot:%Y%m%dT%H%MZ}"
    with transaction.atomic():
        _write(row, verdict, "")
        job: Job = submission.submit(
            schedule.operation, schedule.request, _user(schedule), idempotency_key=key
        )
        StoredSchedule.objects.filter(pk=row.pk).update(last_job=job, last_run=now)
    _log.info("submitted", schedule=row.pk, job=job.pk)


def _write(row: StoredSchedule, verdict: Due, said: str) -> None:
    unchanged = StoredSchedule.objects.filter(
        pk=row.pk, handled=row.handled, waiting=row.waiting, enabled=True, removed=False
    )
    memory = verdict.memory
    if not unchanged.update(handled=memory.handled, waiting=memory.waiting, said=said[:500]):
        raise _Taken


def _obstacle(pool: Pool) -> str:
    if resilvering(pool):
        return f"{pool.name} is resilvering."
    return ""


def _pool(schedule: Schedule, inventory: Inventory) -> Pool | None:
    guid = schedule.subject.partition(":")[2]
    return next((pool for pool in inventory.pools if pool.guid == guid), None)

"""All schedules as rows: what runs when, by itself."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from disks.drives.smart_test import BY_ITSELF
from disks.self_tests import stored, tick
from disks.self_tests.settings import DiskSchedule
from disks.self_tests.words import begins, intervals
from host.inventory import Inventory, Pool, Schedule
from jobs.models import Job
from jobs.operation import title_of
from jobs.schedules import cron
from jobs.schedules.sentence import on_the_wall, sentence
from jobs.wording import Link
from pools.links import pool_href
from replication.links import replication_href
from replication.replications.times import subject_of

_KINDS = {"pool.scrub": "scrub", "pool.trim": "trim"}


class ScheduleRow(msgspec.Struct, frozen=True, kw_only=True):
    """One schedule; `change` is the page that changes it, where there is one."""

    title: str
    when: str
    next_run: str
    enabled: bool
    said: str
    last_run: str | None
    last_job: int | None
    change: Link | None


class SelfTestsLine(msgspec.Struct, frozen=True, kw_only=True):
    """The self-tests of all disks together."""

    when: str
    enabled: bool
    last_run: str | None
    last_job: int | None


def schedule_rows(inventory: Inventory) -> tuple[ScheduleRow, ...]:
    """By what they do."""
    now = datetime.now(UTC)
    rows = [_row(one, inventory, now) for one in inventory.schedules]
    return tuple(sorted(rows, key=lambda row: row.title))


def self_tests_line() -> SelfTestsLine:
    """What disks do of their own."""
    settings = stored.settings()
    last = Job.objects.filter(operation=tick.OPERATION, submitted_by=BY_ITSELF).order_by("-pk").first()
    return SelfTestsLine(
        when=f"{intervals(DiskSchedule(), settings)}, {begins(settings)}", enabled=settings.enabled,
        last_run=last.submitted_at.isoformat() if last else None, last_job=last.pk if last else None,
    )  # fmt: skip


def _row(schedule: Schedule, inventory: Inventory, now: datetime) -> ScheduleRow:
    coming = cron.first(1, schedule.cron, schedule.time_zone, now) if schedule.enabled else ()
    pool = next((one for one in inventory.pools if schedule.subject == f"pool:{one.guid}"), None)
    data = schedule.request | ({"name": pool.name} if pool else {})
    return ScheduleRow(
        title=title_of(schedule.operation, data),
        when=sentence(schedule.cron),
        next_run=on_the_wall(coming[0], schedule.time_zone) if coming else "",
        enabled=schedule.enabled,
        said=schedule.said,
        last_run=schedule.last_run,
        last_job=schedule.last_job,
        change=_change(schedule, pool, inventory),
    )


def _change(schedule: Schedule, pool: Pool | None, inventory: Inventory) -> Link | None:
    kind = _KINDS.get(schedule.operation)
    if pool is not None and kind is not None:
        return Link(f"Change the schedule of {pool.name}", f"{pool_href(pool.name)}schedule/{kind}/")
    tasks = inventory.replicating.tasks
    task = next((one for one in tasks if subject_of(one) == schedule.subject), None)
    if task is None:
        return None
    return Link(f"Change the schedule of {task.name}", f"{replication_href(task.id)}#settings")

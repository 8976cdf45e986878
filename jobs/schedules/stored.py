"""Reads and writes the rows of schedules."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from host.inventory import Inventory, Schedule
from host.inventory.schedules import MissedRule
from jobs.schedules.models import StoredSchedule


class ScheduleSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule to be kept."""

    subject: str
    operation: str
    request: dict[str, Any]
    cron: str
    time_zone: str
    missed: MissedRule = "run"
    enabled: bool = True
    longest_age_days: int | None = None


def complete(inventory: Inventory, defaults: Iterable[ScheduleSpec]) -> Inventory:
    """`inventory` with all schedules. Of `defaults`, those are made that nobody made or deleted yet."""
    rows = list(StoredSchedule.objects.all())
    known = {(row.subject, row.operation) for row in rows}
    missing = [wanted for wanted in defaults if (wanted.subject, wanted.operation) not in known]
    if missing:
        StoredSchedule.objects.bulk_create(
            (_row(wanted, owner="") for wanted in missing), ignore_conflicts=True
        )
        rows = list(StoredSchedule.objects.all())
    return msgspec.structs.replace(
        inventory, schedules=tuple(value_of(row, inventory) for row in rows if not row.removed)
    )


def keep(wanted: ScheduleSpec, owner: str) -> StoredSchedule:
    """Make a schedule, or let this one take the place of the one that is there. It is due from now on."""
    with transaction.atomic():
        StoredSchedule.objects.filter(subject=wanted.subject, operation=wanted.operation).delete()
        row = _row(wanted, owner=owner)
        row.save()
    return row


def change(schedule_id: int, changes: dict[str, Any], owner: str) -> None:
    """Write `changes`; times that have passed until now are not made up for."""
    StoredSchedule.objects.filter(pk=schedule_id, removed=False).update(
        **changes, owner=owner, handled=timezone.now(), waiting=None, said=""
    )


def remove(schedule_id: int, owner: str) -> None:
    """Delete it for good: a default does not come again."""
    StoredSchedule.objects.filter(pk=schedule_id).update(removed=True, owner=owner, waiting=None)


def value_of(row: StoredSchedule, inventory: Inventory) -> Schedule:
    """The row as a value; a pool that was renamed since is named by its current name."""
    request = row.request
    kind, _, guid = row.subject.partition(":")
    pool = next((pool for pool in inventory.pools if kind == "pool" and pool.guid == guid), None)
    if pool is not None:
        request = request | {"name": pool.name}
    return Schedule(
        id=row.pk,
        operation=row.operation,
        request=request,
        subject=row.subject,
        cron=row.cron,
        time_zone=row.time_zone,
        missed="skip" if row.missed == "skip" else "run",
        enabled=row.enabled,
        longest_age_days=row.longest_age_days,
        owner=row.owner,
        handled=_iso(row.handled),
        waiting_since=_iso(row.waiting) if row.waiting else None,
        said=row.said,
        last_job=row.last_job_id,
        last_run=_iso(row.last_run) if row.last_run else None,
    )


def _row(wanted: ScheduleSpec, *, owner: str) -> StoredSchedule:
    return StoredSchedule(**msgspec.structs.asdict(wanted), owner=owner, handled=timezone.now())


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")

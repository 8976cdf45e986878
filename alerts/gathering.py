"""Gathers what all rooms know of the past, for the doctor and the incidents."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import msgspec
from django.conf import settings

from alerts import arrays_checked, arrays_seen, replicated
from alerts.channels import locked, standing
from alerts.doctor.space import SERIES
from alerts.evidence import (
    Acknowledged,
    BackupTrouble,
    CopiesCare,
    Evidence,
    KnownDisk,
    OverdueTest,
    PolicyTrouble,
    ScheduleTrouble,
    SeenMember,
    SharesCare,
    SnapshotCare,
    Space,
)
from alerts.incidents import heat
from alerts.memory import slots
from alerts.models import Acknowledgement, Incident
from alerts.old_backups import troubles_of_backups
from alerts.ping import stored as ping
from alerts.zed import troubles
from backups.copies import copies
from disks.identity import recognise
from disks.models import DiskRecord
from disks.records import all_records, earlier_of, iso, reading_of
from disks.self_tests.overview import overdue_tests
from disks.smart import days
from host.commands.shares.sharing import PATHS
from host.inventory import Inventory
from jobs import series
from jobs.models import Job, State, StoredSchedule
from machine.backup import content
from machine.backup.models import KeptOn
from pools.models import PolicyRun
from pools.policies.standing import Standing, standings
from replication.replications.copies import elsewhere
from shares.answers import called
from shares.applying import drifted

_SPAN = timedelta(days=90)


def gather(inventory: Inventory) -> Evidence:
    """SMART readings and places of all disks, the pools' history, and what was acknowledged."""
    records = all_records()
    known = recognise(inventory.disks, records)
    disks = {record.last_id: _disk(record) for record in records if record.gone_since is not None}
    disks |= {disk_id: _disk(record) for disk_id, record in known.items()}
    return Evidence(
        disks=disks, acknowledged=_acknowledged(), policies_failing=_failing(),
        schedules_failing=_schedules_failing(inventory), arrays=_arrays(disks),
        locked=locked.care(), backups=_backups(inventory),
        elsewhere=(*copies(inventory), *elsewhere(inventory, datetime.now(UTC))),
        room_bytes=_room(), zed=troubles.care(datetime.now(UTC)),
        nearly_full=_nearly_full(), too_warm=_too_warm(), replications=replicated.care(datetime.now(UTC)),
        unpluggable=replicated.unpluggable(inventory), waiting_disks=replicated.waiting(),
    )  # fmt: skip


def _backups(inventory: Inventory) -> tuple[BackupTrouble, ...]:
    return tuple(troubles_of_backups(inventory, datetime.now(UTC)))


def _nearly_full() -> frozenset[str]:
    rows = Incident.objects.filter(kind="pool-full", closed_at=None, calm_since=None)
    return frozenset(rows.values_list("pool_guid", flat=True))


def _too_warm() -> frozenset[str]:
    rows = Incident.objects.filter(kind="disk-too-warm", closed_at=None, calm_since=None)
    subjects = (subject for row in rows for subject in row.cause["subjects"])
    return frozenset(subject.removeprefix(heat.SUBJECT) for subject in subjects)


def _room() -> int | None:
    """What the console may still write beside its database."""
    with suppress(OSError):
        found = os.statvfs(settings.DATA_DIR)
        return found.f_bavail * found.f_frsize
    return None


def _arrays(disks: dict[str, KnownDisk]) -> dict[str, tuple[SeenMember, ...]]:
    """Members of arrays: where they sit, or sat last, and the moment at which those that are gone left."""
    return {
        uuid: tuple(
            msgspec.structs.replace(one, bay=known.bay, gone_since=known.gone_since)
            if (known := disks.get(one.disk))
            else msgspec.structs.replace(one, gone_since=None)
            for one in members
        )
        for uuid, members in arrays_seen.stored().items()
    }


def gather_all(inventory: Inventory) -> Evidence:
    """As `gather`, with what only the doctor needs: how pools filled up."""
    now = datetime.now(UTC)
    memory = gather(inventory)
    return msgspec.structs.replace(
        memory, space=spaces((pool.guid for pool in inventory.pools), now),
        snapshots=_snapshots(inventory), shares=_shares(inventory), channels=standing.care(),
        ping=ping.care(), copies=_copies(inventory, now), checks=arrays_checked.stored(),
        disks=_with_days(memory.disks, now), tests_overdue=_overdue(inventory, now),
        memory_slots=slots(inventory.facts.booted, now),
    )  # fmt: skip


def spaces(guids: Iterable[str], now: datetime) -> dict[str, Space]:
    """How pools filled up in the last three months, by their guids."""
    found = {guid: series.read(f"{SERIES}:{guid}", now - _SPAN, now) for guid in guids}
    return {guid: Space(times=columns.times, used=columns.values) for guid, columns in found.items()}


def _with_days(disks: dict[str, KnownDisk], now: datetime) -> dict[str, KnownDisk]:
    counted = days.counted(now.date())
    return {
        name: msgspec.structs.replace(one, days=days.until_now(counted.get(one.record, ()), one.reading))
        for name, one in disks.items()
    }


def _overdue(inventory: Inventory, now: datetime) -> tuple[OverdueTest, ...]:
    return tuple(
        OverdueTest(disk=disk, kind=kind, days=age, waits=waits)
        for disk, kind, age, waits in overdue_tests(inventory, now)
    )


def _copies(inventory: Inventory, now: datetime) -> CopiesCare | None:
    """Of pools that are here; nothing before the first pool."""
    if not inventory.pools:
        return None
    rows = KeptOn.objects.filter(pool_guid__in=[pool.guid for pool in inventory.pools])
    ages = (
        (one.pool_name, (now - one.checked_at).total_seconds() if one.checked_at else None) for one in rows
    )
    return CopiesCare(enabled=content.settings_row().enabled, ages=tuple(ages))


def _snapshots(inventory: Inventory) -> tuple[SnapshotCare, ...]:
    waiting: dict[str, int] = {}
    for row in PolicyRun.objects.all():
        waiting |= row.waiting
    at = datetime.fromisoformat(inventory.as_of)
    return tuple(_care(one, waiting.get(one.effective.dataset, 0)) for one in standings(inventory, at))


def _care(one: Standing, waiting: int) -> SnapshotCare:
    found = one.effective
    return SnapshotCare(
        dataset=found.dataset,
        policy=found.text,
        source=found.source or found.dataset,
        fault=found.fault,
        newest=iso(one.newest) if one.newest else None,
        age_s=one.age.total_seconds() if one.age is not None else None,
        longest_age_s=one.limit.total_seconds() if one.limit is not None else None,
        ahead=iso(one.ahead) if one.ahead else None,
        waiting=waiting if found.acts else 0,
    )


def _shares(inventory: Inventory) -> SharesCare:
    found = tuple(called(inventory))
    return SharesCare(
        drift=tuple(PATHS[file] for file in drifted(inventory)),
        unserved=tuple(name for name, state, _ in found if state == "not-served"),
        waiting=tuple((name, why) for name, state, why in found if state == "waiting"),
    )


def _failing() -> dict[str, PolicyTrouble]:
    return {
        row.pool_guid: PolicyTrouble(since=iso(row.failing_since), said=row.said, job=row.last_job_id)
        for row in PolicyRun.objects.filter(failing_since__isnull=False)
        if row.failing_since is not None
    }


def _schedules_failing(inventory: Inventory) -> tuple[ScheduleTrouble, ...]:
    """Of pools that are here: nobody can mend the schedule of another."""
    pools = {f"pool:{pool.guid}": pool for pool in inventory.pools}
    failed = StoredSchedule.objects.filter(
        enabled=True, removed=False, last_job__state__in=(State.FAILED, State.INTERRUPTED)
    )
    return tuple(
        ScheduleTrouble(
            id=row.pk, what=row.operation.rpartition(".")[2], pool=pools[row.subject].name,
            pool_guid=pools[row.subject].guid, since=iso(job.finished_at or job.submitted_at),
            said=str((job.error or {}).get("detail", "")), job=job.pk,
        )
        for row in failed.select_related("last_job")
        if row.subject in pools and (job := row.last_job) is not None and not _made_up_for(job)
    )  # fmt: skip


def _made_up_for(job: Job) -> bool:
    """Whether somebody has had the same done since, by hand."""
    later = Job.objects.filter(operation=job.operation, state=State.SUCCEEDED, pk__gt=job.pk)
    return any(one.request.get("name") == job.request.get("name") for one in later)


def _disk(record: DiskRecord) -> KnownDisk:
    return KnownDisk(
        record=record.pk,
        id=record.last_id,
        serial=record.serial,
        wwn=record.wwn,
        model=record.model,
        bay=record.last_bay or None,
        port=record.port,
        gone_since=iso(record.gone_since) if record.gone_since else None,
        reading=reading_of(record),
        earlier=earlier_of(record),
    )


def _acknowledged() -> dict[tuple[str, str], Acknowledged]:
    return {
        (row.code, row.subject): Acknowledged(
            note=row.note, by=row.by, at=iso(row.at), until=row.until.isoformat()
        )
        for row in Acknowledgement.objects.all()
    }

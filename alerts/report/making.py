"""Makes the report of what is cached and remembered: no command is run, and no disk is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal

from django.db.models import Count, Q

from alerts.doctor.examine import examine
from alerts.doctor.trend import until_full
from alerts.evidence import Evidence, SnapshotCare
from alerts.fullness import space_of
from alerts.gathering import gather_all
from alerts.incidents.cause import Severity
from alerts.models import Incident
from alerts.report.copies import copies
from alerts.report.temperatures import extremes
from alerts.report.value import (
    DAYS,
    MOST_CHANGES,
    MOST_COPIES,
    MOST_DATASETS,
    MOST_INCIDENTS,
    BootHealth,
    ChangeHealth,
    DiskHealth,
    FindingHealth,
    HealthReport,
    IncidentHealth,
    MachineHealth,
    PoolHealth,
    ScheduleHealth,
    ScrubHealth,
    SnapshotHealth,
)
from disks.records import iso
from host import typed
from host.inventory import Inventory, Pool, SmartReading, Vdev, leaves
from jobs.models import Job
from jobs.routine import folded
from machine.backup.tables import backup_tables
from pools.models import ScanRecord


def make(inventory: Inventory, now: datetime) -> HealthReport:
    """The report at `now`; the machine as it was probed last."""
    since = now - timedelta(days=DAYS)
    memory = gather_all(inventory)
    found = examine(inventory, memory).findings
    rows = Incident.objects.filter(Q(closed_at=None) | Q(closed_at__gte=since)).order_by("-id")
    incidents = tuple(_incident(row, now) for row in rows[:MOST_INCIDENTS])
    kept = [one for one in memory.snapshots if one.longest_age_s is not None or one.fault]
    kept.sort(key=lambda one: not _overdue(one))
    schedules = tuple(_schedules(memory, inventory))
    changes = _changes(since)
    copied = copies(inventory, now)
    serious = [one.severity for one in found if one.severity != "advice"]
    # An incident that is open, whoever has seen it, is no good health.
    serious += [one.severity for one in incidents if one.closed_at is None and one.severity != "info"]
    state: Literal["good", "warning", "critical"] = "warning" if serious else "good"
    return HealthReport(
        as_of=inventory.as_of, since=iso(since), state="critical" if "critical" in serious else state,
        attention=len(serious), machine=_machine(inventory),
        pools=tuple(_pool(pool, inventory, memory) for pool in inventory.pools),
        disks=tuple(_disks(inventory, memory, extremes(inventory, now))),
        disks_asleep=sum(disk.asleep is True for disk in inventory.disks),
        snapshots=tuple(_snapshots(one) for one in kept[:MOST_DATASETS]),
        snapshots_overdue=sum(map(_overdue, kept)),
        copies=copied[:MOST_COPIES],
        smb_shares=len(inventory.sharing.smb), nfs_shares=len(inventory.sharing.nfs),
        boot=_boot(inventory), incidents=incidents,
        findings=tuple(
            FindingHealth(code=one.code, severity=one.severity, title=one.title) for one in found
        ),
        schedules=schedules, changes=changes[:MOST_CHANGES],
        left_out={
            "incidents": max(0, rows.count() - MOST_INCIDENTS),
            "snapshots": max(0, len(kept) - MOST_DATASETS),
            "copies": max(0, len(copied) - MOST_COPIES),
            "changes": max(0, len(changes) - MOST_CHANGES),
        },
    )  # fmt: skip


def _machine(inventory: Inventory) -> MachineHealth:
    facts = inventory.facts
    return MachineHealth(
        name=facts.name, version=backup_tables().version, kernel=facts.kernel,
        zfs_module_version=_version(facts.zfs_module), memory_bytes=facts.memory_bytes, ecc=facts.ecc,
        booted_at=iso(datetime.fromtimestamp(facts.booted, UTC)),
    )  # fmt: skip


def _pool(pool: Pool, inventory: Inventory, memory: Evidence) -> PoolHealth:
    space = None if pool.suspended else space_of(pool, inventory)
    known = memory.space.get(pool.guid)
    trend = until_full(known.times, known.used, space[1]) if known and space else None
    return PoolHealth(
        name=pool.name, health=pool.health, used_bytes=space[0] if space else None,
        available_bytes=space[1] if space else None,
        growth_bytes_per_day=trend.bytes_per_day if trend else None,
        full_in_days=(trend.earliest_days, trend.latest_days) if trend else (None, None),
        data_errors=pool.data_errors, last_scrub=_scrub(pool),
    )  # fmt: skip


def _scrub(pool: Pool) -> ScrubHealth | None:
    rows = ScanRecord.objects.filter(pool_guid=pool.guid, function="SCRUB", state="FINISHED")
    row = rows.order_by("-finished").first()
    if row is None:
        return None
    return ScrubHealth(
        finished_at=iso(row.finished), duration_s=row.duration_s, repaired_bytes=row.repaired_bytes,
        errors=row.errors,
    )  # fmt: skip


def _disks(
    inventory: Inventory, memory: Evidence, measured: Mapping[str, tuple[int, int]]
) -> Iterator[DiskHealth]:
    placed = {
        leaf.disk: (pool.name, leaf)
        for pool in inventory.pools
        for top in pool.vdevs
        for leaf in leaves(top)
        if leaf.disk is not None
    }
    nowhere: tuple[str | None, Vdev | None] = (None, None)
    for disk in sorted(inventory.disks, key=lambda one: (one.bay is None, _natural(one.bay or ""), one.id)):
        known = memory.disks.get(disk.id)
        smart = (known.reading if known else None) or SmartReading(at="")
        pool, leaf = placed.get(disk.id, nowhere)
        lowest, highest = measured.get(disk.id, (None, None))
        yield DiskHealth(
            id=disk.id, bay=disk.bay, model=disk.model, serial=disk.serial, pool=pool,
            power_on_hours=smart.power_on_hours, health=disk.health, smart_passed=smart.passed,
            reallocated_sectors=smart.reallocated_sectors, pending_sectors=smart.pending_sectors,
            uncorrectable_sectors=smart.uncorrectable_sectors, crc_errors=smart.crc_errors,
            read_errors=leaf.read_errors if leaf else 0, write_errors=leaf.write_errors if leaf else 0,
            checksum_errors=leaf.checksum_errors if leaf else 0,
            lowest_celsius=lowest, highest_celsius=highest,
        )  # fmt: skip


def _natural(label: str) -> tuple[str, int, str]:
    """A2 before A10."""
    digits = label.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz -")
    return label[: len(label) - len(digits)], int(digits) if digits.isdecimal() else 0, label


def _overdue(one: SnapshotCare) -> bool:
    late = one.longest_age_s is not None and one.age_s is not None and one.age_s > one.longest_age_s
    return late or bool(one.fault)


def _snapshots(one: SnapshotCare) -> SnapshotHealth:
    return SnapshotHealth(
        dataset=one.dataset, policy=one.policy, newest_at=one.newest, age_s=one.age_s,
        longest_age_s=one.longest_age_s, overdue=_overdue(one),
    )  # fmt: skip


def _version(module: str | None) -> str | None:
    """`zfs-kmod-2.3.2-2` → `2.3.2-2`."""
    return module and module.removeprefix("zfs-").removeprefix("kmod-")


def _boot(inventory: Inventory) -> BootHealth | None:
    array = next((one for one in inventory.arrays if one.carries_system), None)
    if array is None:
        return None
    return BootHealth(array=array.name, members=array.wanted, in_sync=array.in_sync, degraded=array.degraded)


def _incident(row: Incident, now: datetime) -> IncidentHealth:
    ended = row.closed_at or now
    return IncidentHealth(
        id=row.pk, severity=typed.convert(row.severity, Severity), title=row.title,
        opened_at=iso(row.opened_at), closed_at=iso(row.closed_at) if row.closed_at else None,
        lasted_s=max(0.0, (ended - row.opened_at).total_seconds()),
        acknowledged=row.acknowledged_at is not None,
    )  # fmt: skip


def _schedules(memory: Evidence, inventory: Inventory) -> Iterator[ScheduleHealth]:
    for one in memory.schedules_failing:
        yield ScheduleHealth(what=one.what, pool=one.pool, since=one.since, said=one.said)
    names = {pool.guid: pool.name for pool in inventory.pools}
    for guid, trouble in memory.policies_failing.items():
        if guid in names:
            yield ScheduleHealth(what="snapshots", pool=names[guid], since=trouble.since, said=trouble.said)


def _changes(since: datetime) -> tuple[ChangeHealth, ...]:
    jobs = Job.objects.filter(submitted_at__gte=since).exclude(operation__in=folded()).order_by()
    rows = jobs.values_list("submitted_by", "operation").annotate(Count("pk"))
    found = (ChangeHealth(by=by, operation=name, times=times) for by, name, times in rows)
    return tuple(sorted(found, key=lambda one: (-one.times, one.operation, one.by)))

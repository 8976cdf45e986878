"""The report as values. Times are ISO 8601 in UTC, `None` is what is not known."""

from __future__ import annotations

from typing import Literal

import msgspec

from alerts.doctor.finding import Severity as FindingSeverity
from alerts.incidents.cause import Severity
from disks.verdict import Level
from host.inventory import Ecc
from host.inventory.pools import Health
from jobs.api.shapes import Moment

DAYS = 30
MOST_DATASETS, MOST_INCIDENTS, MOST_CHANGES, MOST_COPIES = 200, 200, 50, 200


class MachineHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The machine and its software."""

    name: str
    version: str
    kernel: str
    zfs_module_version: str | None
    memory_bytes: int
    ecc: Ecc
    booted_at: Moment


class ScrubHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The last complete scrub of a pool."""

    finished_at: Moment
    duration_s: int
    repaired_bytes: int
    errors: int


class PoolHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A pool. Bytes are those of its root dataset, without parity; null where it does not answer.

    `full_in_days` are the earliest and the latest day that its growth allows; the latest is null where it may
    as well not grow. Both are null before a week is known, and where it does not grow.
    """

    name: str
    health: Health
    used_bytes: int | None
    available_bytes: int | None
    growth_bytes_per_day: float | None
    full_in_days: tuple[float | None, float | None]
    data_errors: int
    last_scrub: ScrubHealth | None


class DiskHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A disk by its bay. Errors are those that its pool counted since it was imported or cleared; the
    temperatures are the extremes of the month."""

    id: str
    bay: str | None
    model: str
    serial: str | None
    pool: str | None
    power_on_hours: int | None
    health: Level
    smart_passed: bool | None
    reallocated_sectors: int | None
    pending_sectors: int | None
    uncorrectable_sectors: int | None
    crc_errors: int | None
    read_errors: int
    write_errors: int
    checksum_errors: int
    lowest_celsius: int | None
    highest_celsius: int | None


class SnapshotHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset that has a snapshot policy."""

    dataset: str
    policy: str
    newest_at: Moment | None
    age_s: float | None
    longest_age_s: float | None
    overdue: bool


class CopyHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A replication, or a backup to a repository. `copied_at` is the age of its oldest dataset, null before
    the first copy of one; `proven_at` when files were last read back and found to be the same."""

    kind: Literal["replication", "backup"]
    name: str
    source: str
    target: str
    copied_at: Moment | None
    longest_age_s: int
    late: bool
    proven_at: Moment | None


class BootHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The md array that the system is on."""

    array: str
    members: int
    in_sync: int
    degraded: bool


class IncidentHealth(msgspec.Struct, frozen=True, kw_only=True):
    """An incident that was open within the month; `lasted_s` until now where it still is."""

    id: int
    severity: Severity
    title: str
    opened_at: Moment
    closed_at: Moment | None
    lasted_s: float
    acknowledged: bool


class FindingHealth(msgspec.Struct, frozen=True, kw_only=True):
    """What the doctor finds, without what is acknowledged."""

    code: str
    severity: FindingSeverity
    title: str


class ScheduleHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule, or the snapshot policies of a pool, whose last run failed."""

    what: str
    pool: str
    since: Moment
    said: str


class ChangeHealth(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody had done within the month, by the name of the operation; without what runs by itself."""

    by: str
    operation: str
    times: int


class HealthReport(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `attention` counts the incidents that are open and the doctor's warnings, which speak of
    overdue snapshots and failed schedules too. Of long lists `left_out` counts what is not in them."""

    as_of: Moment
    since: Moment
    state: Literal["good", "warning", "critical"]
    attention: int
    machine: MachineHealth
    pools: tuple[PoolHealth, ...]
    disks: tuple[DiskHealth, ...]
    disks_asleep: int
    snapshots: tuple[SnapshotHealth, ...]  # overdue ones first
    snapshots_overdue: int
    copies: tuple[CopyHealth, ...]  # late ones first
    smb_shares: int
    nfs_shares: int
    boot: BootHealth | None
    incidents: tuple[IncidentHealth, ...]
    findings: tuple[FindingHealth, ...]
    schedules: tuple[ScheduleHealth, ...]
    changes: tuple[ChangeHealth, ...]
    left_out: dict[str, int]

"""The health report as values for the eye."""

from __future__ import annotations

from datetime import datetime

import msgspec

from alerts.report.titles import title_of
from alerts.report.value import (
    CopyHealth,
    DiskHealth,
    FindingHealth,
    HealthReport,
    IncidentHealth,
    PoolHealth,
    SnapshotHealth,
)
from alerts.report.words import growth, ill, verdict
from disks.links import disk_href
from frontend.states import StateView, Tone, tone_view
from frontend.units import binary, span
from jobs.wording import counted
from pools.links import dataset_href, pool_href

_HOURS_A_YEAR = 8766
_POOLS: dict[str, Tone] = {"healthy": "good", "degraded": "warn", "faulted": "bad", "suspended": "bad"}
_DISKS: dict[str, Tone] = {"good": "good", "warning": "warn", "failing": "bad"}
_FINDINGS: dict[str, tuple[Tone, str]] = {
    "critical": ("bad", "now"), "warning": ("warn", "soon"), "advice": ("idle", "advice"),
}  # fmt: skip
_SEVERITIES: dict[str, Tone] = {"critical": "bad", "warning": "warn", "info": "idle"}
_VERDICTS: dict[str, Tone] = {"good": "good", "warning": "warn", "critical": "bad"}


class PoolRow(msgspec.Struct, frozen=True, kw_only=True):
    """A pool. Bytes are None where it does not answer."""

    pool: PoolHealth
    href: str
    state: StateView
    percent: str
    free: str
    growth: str
    scrubbed_at: datetime | None
    scrub: str


class DiskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk."""

    disk: DiskHealth
    href: str
    state: StateView
    age: str
    temperatures: str
    errors: str


class SnapshotRow(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset that has a policy."""

    dataset: str
    href: str
    policy: str
    newest_at: datetime | None
    state: StateView


class CopyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A replication or a backup."""

    copy: CopyHealth
    href: str
    copied_at: datetime | None
    proven_at: datetime | None
    state: StateView


class IncidentRow(msgspec.Struct, frozen=True, kw_only=True):
    """An incident; `lasted` in words."""

    incident: IncidentHealth
    opened_at: datetime
    state: StateView
    lasted: str


class FindingRow(msgspec.Struct, frozen=True, kw_only=True):
    """What the doctor finds."""

    title: str
    state: StateView


class ChangeRow(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody had done, in the words of the operation where it still exists."""

    by: str
    title: str
    times: int


class ReportView(msgspec.Struct, frozen=True, kw_only=True):
    """All of it beside the report itself."""

    report: HealthReport
    as_of: datetime
    since: datetime
    booted_at: datetime
    verdict: StateView
    boot: StateView
    pools: tuple[PoolRow, ...]
    disks: tuple[DiskRow, ...]
    snapshots: tuple[SnapshotRow, ...]
    copies: tuple[CopyRow, ...]
    incidents: tuple[IncidentRow, ...]
    findings: tuple[FindingRow, ...]
    changes: tuple[ChangeRow, ...]


def view(report: HealthReport) -> ReportView:
    """Pure but for the titles of operations."""
    return ReportView(
        report=report, as_of=_moment(report.as_of), since=_moment(report.since),
        booted_at=_moment(report.machine.booted_at),
        verdict=tone_view(_VERDICTS[report.state], verdict(report).rstrip(".")), boot=_boot(report),
        pools=tuple(map(_pool, report.pools)), disks=tuple(map(_disk, report.disks)),
        snapshots=tuple(map(_snapshot, report.snapshots)), copies=tuple(map(_copy, report.copies)),
        incidents=tuple(map(_incident, report.incidents)), findings=tuple(map(_finding, report.findings)),
        changes=tuple(
            ChangeRow(by=one.by, title=title_of(one.operation), times=one.times) for one in report.changes
        ),
    )  # fmt: skip


def _pool(pool: PoolHealth) -> PoolRow:
    percent = free = "not known"
    if pool.used_bytes is not None and pool.available_bytes is not None:
        whole = pool.used_bytes + pool.available_bytes
        percent = f"{100 * pool.used_bytes / whole:.0f} %" if whole else percent
        free = binary(pool.available_bytes)
    scrub, found = pool.last_scrub, ""
    if scrub is not None:
        errors = counted(scrub.errors, "error") if scrub.errors else "no errors"
        repaired = f", {binary(scrub.repaired_bytes)} repaired" if scrub.repaired_bytes else ""
        found = f"{errors}{repaired}, took {span(scrub.duration_s)}"
    return PoolRow(
        pool=pool, href=pool_href(pool.name), state=tone_view(_POOLS.get(pool.health, "idle"), pool.health),
        percent=percent, free=free,
        growth=growth(pool) if pool.growth_bytes_per_day is not None else "known after a week",
        scrubbed_at=_moment(scrub.finished_at) if scrub else None, scrub=found,
    )  # fmt: skip


def _disk(disk: DiskHealth) -> DiskRow:
    hours, lowest = disk.power_on_hours, disk.lowest_celsius
    return DiskRow(
        disk=disk, href=disk_href(disk.id),
        state=tone_view(_DISKS.get(disk.health, "idle"), disk.health),
        age="–" if hours is None else f"{hours / _HOURS_A_YEAR:.1f} y ({hours} h)",
        temperatures="–" if lowest is None else f"{lowest} to {disk.highest_celsius} °C",
        errors=", ".join(ill(msgspec.structs.replace(disk, health="good"))) or "none",
    )  # fmt: skip


def _snapshot(one: SnapshotHealth) -> SnapshotRow:
    return SnapshotRow(
        dataset=one.dataset, href=dataset_href(one.dataset), policy=one.policy,
        newest_at=_moment(one.newest_at) if one.newest_at else None,
        state=tone_view("warn", "overdue") if one.overdue else tone_view("good", "up to date"),
    )  # fmt: skip


def _copy(one: CopyHealth) -> CopyRow:
    return CopyRow(
        copy=one, href="/replication/" if one.kind == "replication" else "/backups/",
        copied_at=_moment(one.copied_at) if one.copied_at else None,
        proven_at=_moment(one.proven_at) if one.proven_at else None,
        state=tone_view("warn", "late")
        if one.late
        else tone_view("good", "up to date")
        if one.copied_at
        else tone_view("idle", "no copy yet"),
    )  # fmt: skip


def _incident(one: IncidentHealth) -> IncidentRow:
    open_now = one.closed_at is None
    tone = _SEVERITIES[one.severity] if open_now else "good"
    return IncidentRow(
        incident=one, opened_at=_moment(one.opened_at), lasted=span(one.lasted_s),
        state=tone_view(tone, "open" if open_now else "resolved"),
    )  # fmt: skip


def _finding(one: FindingHealth) -> FindingRow:
    return FindingRow(title=one.title, state=tone_view(*_FINDINGS[one.severity]))


def _boot(report: HealthReport) -> StateView:
    if report.boot is None:
        return tone_view("warn", "one disk")
    if report.boot.degraded:
        return tone_view("bad", f"{report.boot.in_sync} of {report.boot.members} halves")
    return tone_view("good", "both halves")


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)

"""What a digest reports, as values; gathered from what all rooms remember."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from alerts.channels.decide import topic_of
from alerts.channels.models import Channel
from alerts.doctor.examine import examine
from alerts.doctor.space import SERIES
from alerts.fullness import space_of
from alerts.gathering import gather_all
from alerts.incidents.cause import RANKS, Severity
from alerts.incidents.recording import absorbed
from alerts.models import Incident
from host import typed
from host.inventory import Inventory
from jobs import cache, series
from jobs.models import Job, State
from jobs.operation import title_of

_MOST_JOBS = 50


class IncidentLine(msgspec.Struct, frozen=True, kw_only=True):
    """An incident, and when it began and ended."""

    title: str
    severity: Severity
    opened_at: datetime
    closed_at: datetime | None = None


class PoolLine(msgspec.Struct, frozen=True, kw_only=True):
    """How full a pool is, by how much that changed (None: not known; 0: by no more than rounding), and its
    last scrub."""

    name: str
    used_bytes: int | None
    available_bytes: int | None
    change_bytes: int | None
    last_scrub: datetime | None


class JobLine(msgspec.Struct, frozen=True, kw_only=True):
    """A job of a schedule that failed."""

    title: str
    at: datetime
    said: str


class Digest(msgspec.Struct, frozen=True, kw_only=True):
    """What happened between two times. `findings` are titles by the doctor's severity; None before the first
    probe of the machine."""

    since: datetime
    until: datetime
    opened: tuple[IncidentLine, ...] = ()
    closed: tuple[IncidentLine, ...] = ()
    still_open: tuple[IncidentLine, ...] = ()
    findings: dict[str, tuple[str, ...]] | None = None
    pools: tuple[PoolLine, ...] = ()
    failed: tuple[JobLine, ...] = ()


def gather_digest(channel: Channel, since: datetime, until: datetime) -> Digest:
    """What happened, as far as the channel wants to know of it."""
    inventory = cache.current()
    lines = [_line(row) for row in _incidents(channel, since)]
    return Digest(
        since=since, until=until,
        opened=tuple(one for one in lines if one.opened_at > since),
        closed=tuple(one for one in lines if one.closed_at is not None),
        still_open=tuple(one for one in lines if one.closed_at is None),
        findings=_findings(inventory) if inventory else None,
        pools=tuple(_pools(inventory, since, until)) if inventory else (),
        failed=tuple(_failed(since)),
    )  # fmt: skip


def open_titles() -> tuple[str, ...]:
    """The titles of all open incidents, the worst first."""
    rows = Incident.objects.filter(closed_at=None)
    return tuple(line.title for line in sorted(map(_line, rows), key=_rank))


def _incidents(channel: Channel, since: datetime) -> Iterator[Incident]:
    """Open ones, and those that ended since, of the channel's categories and severity."""
    rows = [*Incident.objects.filter(closed_at=None), *Incident.objects.filter(closed_at__gt=since)]
    lowest = RANKS[typed.convert(channel.lowest, Severity)]
    for row in sorted(rows, key=lambda row: _rank(_line(row))):
        wanted = RANKS[typed.convert(row.severity, Severity)] <= lowest
        if wanted and topic_of(row.kind) in channel.topics and not absorbed(row):
            yield row


def _line(row: Incident) -> IncidentLine:
    return IncidentLine(
        title=row.title, severity=typed.convert(row.severity, Severity), opened_at=row.opened_at,
        closed_at=row.closed_at,
    )  # fmt: skip


def _rank(line: IncidentLine) -> tuple[int, datetime]:
    return RANKS[line.severity], line.opened_at


def _findings(inventory: Inventory) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one in examine(inventory, gather_all(inventory)).findings:
        found[one.severity] = (*found.get(one.severity, ()), one.title)
    return found


def _pools(inventory: Inventory, since: datetime, until: datetime) -> Iterator[PoolLine]:
    for pool in inventory.pools:
        used, available = space_of(pool, inventory) or (None, None)
        before = series.read(f"{SERIES}:{pool.guid}", since, until).values
        yield PoolLine(
            name=pool.name, used_bytes=used, available_bytes=available,
            change_bytes=_change(used, before[0]) if used is not None and before else None,
            last_scrub=datetime.fromisoformat(pool.last_scrub) if pool.last_scrub else None,
        )  # fmt: skip


def _change(used: int, before: float) -> int:
    return 0 if abs(used - before) <= before * series.ROUNDING else round(used - before)


def _failed(since: datetime) -> Iterator[JobLine]:
    """Jobs of schedules and of snapshot policies, as `jobs.schedules.tick` and `pools.policies.tick` sign."""
    ended = Job.objects.filter(state__in=(State.FAILED, State.INTERRUPTED), finished_at__gt=since)
    clockwork = ended.filter(submitted_by__startswith="schedule") | ended.filter(submitted_by="policies")
    for job in clockwork.order_by("finished_at")[:_MOST_JOBS]:
        said = str((job.error or {}).get("detail", ""))
        yield JobLine(title=title_of(job.operation, job.request), at=job.finished_at or since, said=said)

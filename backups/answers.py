"""Repositories and backups as the API and the pages show them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from host.inventory import Backup, BackupRun, Inventory, Repository, Schedule
from host.repositories.answers import RunReport
from host.repositories.settings import RepositorySettings, fingerprint
from jobs.rights import User
from jobs.schedules import cron
from jobs.withheld import SCOPE

Standing = Literal["running", "never", "fresh", "old"]


class BackupRunAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A run; without a verdict it goes on. The files that it names in `report` are withheld from those who
    may not read files."""

    run: str
    action: Literal["backup", "check", "restore"]
    repository: str
    backup: str | None
    started_at: str
    finished_at: str | None
    verdict: Literal["good", "incomplete", "failed", "stopped"] | None
    code: str
    words: str
    report: RunReport | None


class RepositoryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where backups are stored. `proven_at` is when a check last found it sound. Its password and keys are
    never answered."""

    name: str
    kind: Literal["local", "sftp", "rest", "s3"]
    location: str
    fingerprint: str | None  # of an SSH server's key
    own_authority: bool  # its certificate is held to the authority that was given
    ready: bool
    existing: bool
    check_percent: int
    proven_at: str | None
    next_check: str | None
    last_check: BackupRunAnswer | None
    running: BackupRunAnswer | None


class DatasetAge(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset of a backup, and how old its newest stored state is."""

    dataset: str
    stored_at: str | None


class BackupAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored where. `state` compares `stored_at`, the age of its oldest dataset, with `aim_hours`."""

    name: str
    repository: str
    datasets: tuple[DatasetAge, ...]
    exclusions: tuple[str, ...]
    retention: dict[str, int]
    aim_hours: int
    stored_at: str | None
    proven_at: str | None
    state: Standing
    next_run: str | None
    schedule: int | None
    last_run: BackupRunAnswer | None
    running: BackupRunAnswer | None


def run_answer(run: BackupRun, user: User) -> BackupRunAnswer:
    """As `user` may see it."""
    report = run.report
    if report is not None and report.skipped and not user.has_perm(SCOPE):
        report = msgspec.structs.replace(report, skipped=())
    return BackupRunAnswer(
        run=run.run, action=run.action, repository=run.repository, backup=run.backup or None,
        started_at=run.started_at, finished_at=run.finished_at, verdict=run.verdict, code=run.code,
        words=run.words, report=report,
    )  # fmt: skip


def repository_answer(found: Repository, inventory: Inventory, user: User, now: datetime) -> RepositoryAnswer:
    """As `user` may see it."""
    settings: RepositorySettings = found.settings
    kind: Literal["local", "sftp", "rest", "s3"] = settings.kind  # type: ignore[assignment]
    return RepositoryAnswer(
        name=found.name, kind=kind, location=settings.location,
        fingerprint=fingerprint(settings.sftp.host_key) if settings.sftp else None,
        own_authority=bool(settings.authority), ready=found.ready,
        existing=found.existing, check_percent=found.check_percent, proven_at=found.proven_at,
        next_check=next_time(schedule_of(f"repository:{found.key}", inventory), now),
        last_check=run_answer(found.last_check, user) if found.last_check else None,
        running=run_answer(found.running, user) if found.running else None,
    )  # fmt: skip


def backup_answer(found: Backup, inventory: Inventory, user: User, now: datetime) -> BackupAnswer:
    """As `user` may see it."""
    repository = inventory.backups.repository(found.repository)
    schedule = schedule_of(f"backup:{found.name}", inventory)
    return BackupAnswer(
        name=found.name, repository=found.repository,
        datasets=tuple(DatasetAge(dataset=one.name, stored_at=one.stored_at) for one in found.datasets),
        exclusions=found.exclusions, retention=found.retention, aim_hours=found.aim_hours,
        stored_at=found.stored_at, proven_at=repository.proven_at if repository else None,
        state=standing(found, now), next_run=next_time(schedule, now),
        schedule=schedule.id if schedule else None,
        last_run=run_answer(found.last_run, user) if found.last_run else None,
        running=run_answer(found.running, user) if found.running else None,
    )  # fmt: skip


def standing(found: Backup, now: datetime) -> Standing:
    """Its age against its aim. A state from the future is one of a clock that was set back, and counts as
    now."""
    if found.stored_at is None:
        return "running" if found.running else "never"
    if now - datetime.fromisoformat(found.stored_at) > timedelta(hours=found.aim_hours):
        return "old"
    return "running" if found.running else "fresh"


def schedule_of(subject: str, inventory: Inventory) -> Schedule | None:
    """The schedule about that, if there is one."""
    return next((one for one in inventory.schedules if one.subject == subject), None)


def next_time(schedule: Schedule | None, now: datetime) -> str | None:
    """When it runs next; None where it does not."""
    if schedule is None or not schedule.enabled:
        return None
    return cron.next_after(schedule.cron, schedule.time_zone, now).isoformat()

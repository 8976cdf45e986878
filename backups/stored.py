"""Reads and writes the rows of repositories, backups and runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

import msgspec
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from backups.models import BackupRow, RepositoryRow, RunRow
from host import typed
from host.commands.backups import RepositoryRetention
from host.inventory import BackedUp, Backup, BackupRun, Backups, Inventory, Repository
from host.repositories.answers import Action, Code, RunReport, Verdict
from host.repositories.settings import RepositorySettings
from jobs import cache
from jobs.models import StoredSchedule
from jobs.schedules import stored
from jobs.schedules.stored import ScheduleSpec as ScheduleSpec

_KEPT_RUNS = 200  # of a repository


def complete(inventory: Inventory) -> Inventory:
    """`inventory` with all repositories and backups; a renamed dataset is shown by its current name."""
    return msgspec.structs.replace(inventory, backups=known(inventory))


def follow(replaced: Mapping[str, str]) -> None:
    """Backups of a dataset are backups of the one that takes its place; by guid."""
    for row in BackupRow.objects.all():
        if not replaced.keys() & row.datasets.keys():
            continue
        BackupRow.objects.filter(pk=row.pk).update(
            datasets={replaced.get(guid, guid): name for guid, name in row.datasets.items()},
            stored={replaced.get(guid, guid): moment for guid, moment in row.stored.items()},
        )


def known(inventory: Inventory | None) -> Backups:
    """What the rows say now."""
    repositories = list(RepositoryRow.objects.all())
    if not repositories:
        return Backups()
    names = {one.guid: one.name for one in inventory.datasets} if inventory else {}
    rows = list(BackupRow.objects.select_related("repository"))
    running = {
        row.repository_id: run_of(row)
        for row in RunRow.objects.filter(verdict="").select_related("repository", "backup")
    }
    return Backups(
        repositories=tuple(_repository(row, running.get(row.pk)) for row in repositories),
        backups=tuple(_backup(row, names, running.get(row.repository_id)) for row in rows),
    )


def _repository(row: RepositoryRow, running: BackupRun | None) -> Repository:
    last = _found_damaged(row) or row.run_rows.filter(action="check").exclude(verdict="").first()
    return Repository(
        name=row.name, key=row.key, settings=typed.convert(row.settings, RepositorySettings), ready=row.ready,
        existing=row.existing, check_percent=row.check_percent, proven_at=iso(row.proven_at), runs=row.runs,
        last_check=run_of(last) if last else None, running=running,
    )  # fmt: skip


def _found_damaged(row: RepositoryRow) -> RunRow | None:
    """The check that found damage. That holds until one is good: those that were stopped, or did not reach
    the repository, found nothing."""
    checks = row.run_rows.filter(Q(verdict="good") | Q(code="damaged"), action="check").exclude(verdict="")
    last = checks.first()
    return last if last is not None and last.code == "damaged" else None


def _backup(row: BackupRow, names: dict[str, str], running: BackupRun | None) -> Backup:
    last = row.run_rows.exclude(verdict="").select_related("repository").first()
    return Backup(
        name=row.name, key=row.key, repository=row.repository.name,
        datasets=tuple(
            BackedUp(guid=guid, name=names.get(guid, name), stored_at=row.stored.get(guid))
            for guid, name in row.datasets.items()
        ),
        exclusions=tuple(row.exclusions), retention=row.retention, aim_hours=row.aim_hours,
        made_at=iso(row.made_at) or "", last_run=run_of(last) if last else None,
        running=running if running and running.backup == row.name else None,
    )  # fmt: skip


def run_of(row: RunRow) -> BackupRun:
    """The row as a value."""
    return BackupRun(
        run=row.run, action=cast("Action", row.action), started_at=iso(row.started_at) or "",
        finished_at=iso(row.finished_at), verdict=cast("Verdict | None", row.verdict or None),
        code=cast("Code", row.code), words=row.words, repository=row.repository.name,
        backup=row.backup.name if row.backup else "",
        report=typed.convert(row.report, RunReport) if row.report else None,
    )  # fmt: skip


def add_repository(
    name: str, key: str, settings: RepositorySettings, *, ready: bool, existing: bool, check_percent: int,
    schedule: ScheduleSpec | None, actor: str,
) -> None:  # fmt: skip
    """A new one, with the schedule of its checks."""
    RepositoryRow.objects.create(
        name=name, key=key, settings=msgspec.to_builtins(settings), ready=ready, existing=existing,
        check_percent=check_percent,
    )  # fmt: skip
    if schedule is not None:
        stored.keep(schedule, actor)


def connected(name: str) -> None:
    """It can be used from now on."""
    RepositoryRow.objects.filter(name=name).update(ready=True)


def remove_repository(name: str) -> None:
    """With its schedules and the record of its runs."""
    row = RepositoryRow.objects.filter(name=name).first()
    if row is not None:
        StoredSchedule.objects.filter(subject=f"repository:{row.key}").delete()
        row.delete()


def add_backup(
    name: str, key: str, repository: str, datasets: dict[str, str], exclusions: Iterable[str],
    retention: RepositoryRetention, aim_hours: int, *, schedule: ScheduleSpec | None, actor: str,
) -> None:  # fmt: skip
    """A new one, with its schedule."""
    BackupRow.objects.create(
        name=name, key=key, repository=RepositoryRow.objects.get(name=repository), datasets=datasets,
        exclusions=list(exclusions), retention=msgspec.to_builtins(retention), aim_hours=aim_hours,
        made_at=timezone.now(),
    )  # fmt: skip
    if schedule is not None:
        stored.keep(schedule, actor)


def change_backup(name: str, changes: dict[str, Any]) -> None:
    """Write what is given."""
    BackupRow.objects.filter(name=name).update(**msgspec.to_builtins(changes))


def remove_backup(name: str) -> None:
    """With its schedule; the record of its runs stays with the repository."""
    StoredSchedule.objects.filter(subject=f"backup:{name}").delete()
    BackupRow.objects.filter(name=name).delete()


def begin(run: str, action: Action, repository: str, *, backup: str | None = None) -> None:
    """A run has been started: it is followed from now on."""
    with transaction.atomic():
        row = RepositoryRow.objects.get(name=repository)
        RepositoryRow.objects.filter(pk=row.pk).update(runs=F("runs") + 1)
        RunRow.objects.create(
            run=run, action=action, repository=row, started_at=timezone.now(),
            backup=BackupRow.objects.filter(name=backup).first() if backup else None,
        )  # fmt: skip
        old = set(row.run_rows.values_list("pk", flat=True)[_KEPT_RUNS:])
        if (damaged := _found_damaged(row)) is not None:
            old.discard(damaged.pk)
        RunRow.objects.filter(pk__in=old).delete()


def note(row: RunRow, report: RunReport) -> None:
    """Keep how far a run has come; at its end, what that means for its backup and its repository."""
    values = {"report": msgspec.to_builtins(report)}
    if report.verdict is None:
        RunRow.objects.filter(pk=row.pk, verdict="").update(**values)
        return
    finished = _moment(report.finished_at)
    with transaction.atomic():
        ended = RunRow.objects.filter(pk=row.pk, verdict="").update(
            **values, verdict=report.verdict, code=report.code, words=report.words[:1000],
            finished_at=finished,
        )  # fmt: skip
        if not ended:
            return
        if row.action == "check" and report.verdict == "good":
            RepositoryRow.objects.filter(pk=row.repository_id).update(proven_at=finished)
        if row.action == "check" and report.code == "damaged":
            RepositoryRow.objects.filter(pk=row.repository_id).update(proven_at=None)
        if row.backup is not None and report.saved:
            guids = {name: guid for guid, name in _names_of(row.backup).items()}
            fresh = {guids[one.dataset]: one.made_at for one in report.saved if one.dataset in guids}
            BackupRow.objects.filter(pk=row.backup.pk).update(stored=row.backup.stored | fresh)
    cache.amend(complete)


def _names_of(row: BackupRow) -> dict[str, str]:
    """guid → current name: what was renamed since is stored by that name."""
    inventory = cache.current()
    names = {one.guid: one.name for one in inventory.datasets} if inventory else {}
    return {guid: names.get(guid, name) for guid, name in row.datasets.items()}


def iso(moment: datetime | None) -> str | None:
    """ISO 8601, UTC."""
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else None


def _moment(text: str | None) -> datetime:
    return datetime.fromisoformat(text) if text else timezone.now()

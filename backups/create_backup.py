"""backup.create, backup.change, backup.delete: what is stored in a repository, when, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from backups import stored
from backups.chosen import backup_of, refuse_beside, repository_of
from backups.names import Name, NameText, key_of
from backups.places import dataset_of
from backups.schedules import check_times
from backups.zones import zone_of
from host.commands.backups import Exclusion, RepositoryRetention
from host.inventory import Dataset, Inventory, Repository
from host.inventory.schedules import MissedRule
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.schedules.change import CronText, ZoneText
from jobs.schedules.sentence import sentence
from jobs.wording import counted, listed

_Text = Annotated[str, Meta(max_length=1024)]
Datasets = Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=500)]
Exclusions = Annotated[tuple[Exclusion, ...], Meta(max_length=100)]
Hours = Annotated[int, Meta(ge=1, le=24 * 366)]
USUAL = RepositoryRetention(daily=7, weekly=5, monthly=12)
NIGHTLY = "30 1 * * *"


class CreateBackup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Store `datasets` in a repository whenever `cron` fits (null: only when somebody starts it), and keep so
    many snapshots there as `retention` says. Beyond `aim_hours` it is reported as too old. `exclusions` are
    patterns of files that are not stored."""

    name: Name
    repository: NameText
    datasets: Datasets
    exclusions: Exclusions = ()
    retention: RepositoryRetention = USUAL
    aim_hours: Hours = 36
    cron: CronText | None = NIGHTLY
    time_zone: ZoneText | None = None
    missed: MissedRule = "run"


class ChangeBackup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given and keep the rest."""

    name: NameText
    datasets: Datasets | UnsetType = UNSET
    exclusions: Exclusions | UnsetType = UNSET
    retention: RepositoryRetention | UnsetType = UNSET
    aim_hours: Hours | UnsetType = UNSET


class DeleteBackup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Store nothing more, on schedule or otherwise. What is in the repository stays there."""

    name: NameText


def plan(request: CreateBackup, inventory: Inventory) -> Plan:
    """Raises `Refused`."""
    findings = Findings()
    if inventory.backups.backup(request.name):
        findings.error("name-taken", "name", f"There is a backup {request.name} already.")
    repository = repository_of(request.repository, inventory, findings, "repository")
    datasets = _datasets(request.datasets, inventory, repository, findings)
    zone = zone_of(request.time_zone, inventory)
    check_times(request.cron, zone, request.aim_hours, inventory, findings)
    _check_retention(request.retention, findings)
    findings.refuse_on_error()
    schedule = _schedule(request, zone)
    runs = sentence(schedule.cron) if schedule else "when you start it"
    return Plan(
        operation="backup.create",
        steps=(Step(title=f"Back {_named(datasets)} up to {repository.name}", commands=()),),
        summary=f"{_named(datasets)} {'is' if len(datasets) == 1 else 'are'} stored in {repository.name} "
        f"{runs}, as in one moment. There is an alert once that is older than "
        f"{counted(request.aim_hours, 'hour')}.",
        findings=findings.all(),
        claims=(f"backup:{request.name}",),
    )


def remember(request: CreateBackup, inventory: Inventory, actor: str) -> None:
    """Write the row and its schedule."""
    found = [one for name in request.datasets if (one := inventory.dataset(name))]
    key = _key(request, inventory, found)
    stored.add_backup(
        request.name, key, request.repository, {one.guid: one.name for one in found}, request.exclusions,
        request.retention, request.aim_hours,
        schedule=_schedule(request, zone_of(request.time_zone, inventory)), actor=actor,
    )  # fmt: skip


def plan_change(request: ChangeBackup, inventory: Inventory) -> Plan:
    """Raises `Refused`."""
    findings = Findings()
    found = backup_of(request.name, inventory, findings)
    changes = _changes(request)
    if not changes:
        findings.refuse("nothing-to-change", "", "Nothing to change.")
    repository = repository_of(found.repository, inventory, findings)
    if request.datasets is not UNSET:
        _datasets(request.datasets, inventory, repository, findings)
    if request.retention is not UNSET:
        _check_retention(request.retention, findings)
    findings.refuse_on_error()
    what = listed(sorted(name.replace("_", " ") for name in changes))
    return Plan(
        operation="backup.change",
        steps=(Step(title=f"Change {found.name}: {what}", commands=()),),
        summary=f"The next run of {found.name} goes by the new {what}. Snapshots that are stored stay until "
        "the retention removes it.",
        findings=findings.all(),
        claims=(f"backup:{found.name}",),
    )


def remember_change(request: ChangeBackup, inventory: Inventory, _actor: str) -> None:
    """Write what was given."""
    changes = _changes(request)
    if request.datasets is not UNSET:
        found = (one for name in request.datasets if (one := inventory.dataset(name)))
        changes["datasets"] = {one.guid: one.name for one in found}
    stored.change_backup(request.name, changes)


def plan_delete(request: DeleteBackup, inventory: Inventory) -> Plan:
    """Raises `Refused` while it runs."""
    findings = Findings()
    found = backup_of(request.name, inventory, findings)
    if found.running is not None:
        refuse_beside(repository_of(found.repository, inventory, findings), findings)
    names = [one.name for one in found.datasets]
    return Plan(
        operation="backup.delete",
        steps=(Step(title=f"Delete the backup {found.name}", commands=()),),
        summary=f"{listed(names)} {'is' if len(names) == 1 else 'are'} no longer stored in "
        f"{found.repository}. What is there stays there.",
        claims=(f"backup:{found.name}",),
    )


def remember_delete(request: DeleteBackup, _inventory: Inventory, _actor: str) -> None:
    """Delete the row and its schedule."""
    stored.remove_backup(request.name)


def _datasets(
    names: Sequence[str], inventory: Inventory, repository: Repository, findings: Findings
) -> list[Dataset]:
    found: list[Dataset] = []
    for index, name in enumerate(names):
        field = f"datasets[{index}]"
        dataset = inventory.dataset(name)
        if dataset is None:
            findings.error("unknown-dataset", field, f"There is no dataset {name[:200]}.")
        elif dataset.kind == "volume":
            message = f"{name} is a volume: a virtual disk whose files cannot be read here."
            findings.error("no-files", field, message)
        elif dataset in found:
            findings.error("twice", field, f"{name} is named twice.")
        else:
            found.append(dataset)
    local = repository.settings.local
    inside = dataset_of(local.path, inventory) if local else None
    if inside is not None and any(one.pool == inside.pool for one in found):
        message = f"{repository.name} lies in the pool {inside.pool} itself, and is lost together with it."
        findings.warning("same-pool", "repository", message)
    if inside is not None and any(one.guid == inside.guid for one in found):
        message = f"{repository.name} lies in {inside.name}: it would store itself, again and again."
        findings.error("stores-itself", "datasets", message)
    return found


def _check_retention(retention: RepositoryRetention, findings: Findings) -> None:
    if not retention.flags():
        message = "Nothing is ever removed from the repository, which grows until it is full."
        findings.info("keeps-everything", "retention", message)


def _schedule(request: CreateBackup, zone: str) -> stored.ScheduleSpec | None:
    if request.cron is None:
        return None
    return stored.ScheduleSpec(
        subject=f"backup:{request.name}", operation="backup.run", request={"name": request.name},
        cron=request.cron, time_zone=zone, missed=request.missed,
    )  # fmt: skip


def _key(request: CreateBackup, inventory: Inventory, datasets: Sequence[Dataset]) -> str:
    """The same backup of the same data has the same key after a new installation, too: its retention goes on.
    Another machine's has never."""
    repository = inventory.backups.repository(request.repository)
    of = repository.settings.location if repository else ""
    return key_of(request.name, of, *sorted(one.guid for one in datasets)[:1])


def _changes(request: ChangeBackup) -> dict[str, object]:
    given = {name: getattr(request, name) for name in request.__struct_fields__}
    return {name: value for name, value in given.items() if name != "name" and value is not UNSET}


def _named(datasets: Sequence[Dataset]) -> str:
    return listed([one.name for one in datasets])

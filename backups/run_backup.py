"""backup.run, backup.stop: take snapshots and bring them to the repository; end what runs."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from backups import stored
from backups.chosen import backup_of, ready_repository, refuse_beside
from backups.names import NameText, key_of
from host import typed
from host.commands.backups import RepositoryRetention, StartBackup, StopBackupRun
from host.commands.closed import AnyCommand
from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsSnapshot
from host.inventory import Backup, BackupRun, Dataset, Inventory, Repository
from host.repositories.places import SNAPSHOTS
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted, listed

_LONGEST_SNAPSHOT = 255
_CUT_OFF = 20  # starts in a row, without one whose end is known
_RunText = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z", description="the key of a run")]


class RunBackup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Store the datasets of a backup as they are now."""

    name: NameText


class StopBackup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """End a backup, check or restore that runs. The next backup goes on from what was stored until then."""

    run: _RunText


def needs(request: RunBackup, inventory: Inventory) -> Needs:
    """Whether a start that was cut off has left the snapshots of a run that nobody knows of."""
    found = inventory.backups.backup(request.name)
    repository = inventory.backups.repository(found.repository) if found else None
    if found is None or repository is None:
        return Needs()
    guids = {one.guid for one in found.datasets}
    names = tuple(one.name for one in inventory.datasets if one.guid in guids)
    tags = tuple(_tag(found, run) for run in _next_runs(repository, found.key))
    return Needs(snapshots=SnapshotNeeds(datasets=names, everywhere_below=False, tags=tags))


def plan(request: RunBackup, inventory: Inventory) -> Plan:
    """Raises `Refused` while it runs already or something else uses the repository."""
    findings = Findings()
    found = backup_of(request.name, inventory, findings)
    repository = ready_repository(found.repository, inventory, findings)
    refuse_beside(repository, findings, mine=found.name)
    datasets = _readable(found, inventory, findings)
    findings.refuse_on_error()
    names = [one.name for one in datasets]
    return Plan(
        operation="backup.run",
        steps=(_step(found, repository, datasets, inventory, findings),),
        summary=f"{listed(names)} {'is' if len(names) == 1 else 'are'} stored in {repository.name} as of "
        "now; only what changed since the last time is sent.",
        takes="as long as it takes to send what changed, in the background",
        findings=findings.all(),
        claims=(f"repository:{repository.name}", f"backup:{found.name}"),
    )


def run_key(repository: Repository, backup: Backup, inventory: Inventory) -> str:
    """Of the next run: the first whose snapshots are not there yet. Later ones destroy what was left."""
    there = {one.tag for snapshots in inventory.snapshots.values() for one in snapshots}
    runs = _next_runs(repository, backup.key)
    return next((run for run in runs if _tag(backup, run) not in there), runs[-1])


def _next_runs(repository: Repository, backup: str) -> tuple[str, ...]:
    """Its key counts the runs that are known; the others are for starts that lost their power in between."""
    attempts = (f"{repository.runs}", *(f"{repository.runs}+{one}" for one in range(1, _CUT_OFF)))
    return tuple(key_of(repository.key, "backup", backup, one) for one in attempts)


def remember(request: RunBackup, inventory: Inventory, _actor: str) -> None:
    """Follow the run."""
    found = inventory.backups.backup(request.name)
    repository = inventory.backups.repository(found.repository) if found else None
    if found is not None and repository is not None:
        stored.begin(run_key(repository, found, inventory), "backup", repository.name, backup=found.name)


def _readable(found: Backup, inventory: Inventory, findings: Findings) -> list[Dataset]:
    known = {one.guid: one for one in inventory.datasets}
    datasets: list[Dataset] = []
    for one in found.datasets:
        dataset = known.get(one.guid)
        if dataset is None:
            findings.info("gone", "", f"{one.name} is not there (any more), and is left out.")
        elif dataset.value("keystatus") == "unavailable":
            findings.info("locked", "", f"{one.name} is locked, and is left out. Unlock it first.")
        else:
            datasets.append(dataset)
    if not datasets:
        findings.error("nothing-to-store", "", f"None of the datasets of {found.name} can be read now.")
    return datasets


def _tag(backup: Backup, run: str) -> str:
    return f"{SNAPSHOTS}{backup.key}-{run}"


def _step(
    found: Backup, repository: Repository, datasets: list[Dataset], inventory: Inventory, findings: Findings
) -> Step:
    run = run_key(repository, found, inventory)
    tag = _tag(found, run)
    for one in datasets:
        if len(f"{one.name}@{tag}") > _LONGEST_SNAPSHOT:
            message = f"The name of {one.name} is too long for a snapshot of it to have one, too."
            findings.refuse("name-too-long", "", message)
    by_pool: dict[str, list[str]] = {}
    for one in datasets:
        by_pool.setdefault(one.pool, []).append(f"{one.name}@{tag}")
    taking: list[AnyCommand] = [ZfsSnapshot(names=tuple(names)) for names in by_pool.values()]
    start = StartBackup(
        run=run, repository=repository.key, backup=found.key, host=host_name(inventory),
        snapshots=tuple(f"{one.name}@{tag}" for one in datasets), exclusions=found.exclusions,
        retention=typed.convert(found.retention, RepositoryRetention),
    )  # fmt: skip
    return Step(
        title=f"Take {counted(len(datasets), 'snapshot')} and start to store them in {repository.name}",
        commands=(*taking, start),
        undo=tuple(ZfsDestroySnapshots(dataset=one.name, tags=(tag,)) for one in datasets),
    )


def host_name(inventory: Inventory) -> str:
    """The machine's own name, as restic notes it."""
    plain = re.sub(r"[^A-Za-z0-9.\-]", "", inventory.facts.name)[:60].lstrip(".-")
    return plain or "nasweb"


def plan_stop(request: StopBackup, inventory: Inventory) -> Plan:
    """Raises `Refused` where it does not run."""
    findings = Findings()
    running = _running(request.run, inventory)
    if running is None:
        findings.refuse("not-running", "run", "It does not run (any more).")
    what = {"backup": f"the backup {running.backup}", "check": f"the check of {running.repository}"}.get(
        running.action, f"the restore from {running.repository}"
    )
    then = {
        "backup": "What it has stored until now is not lost: the next run goes on from there.",
        "check": "What it has not read is read by a later one.",
    }.get(running.action, "What it has brought back is removed again.")
    return Plan(
        operation="backup.stop",
        steps=(Step(title=f"Stop {what}", commands=(StopBackupRun(run=request.run),)),),
        summary=f"{what[:1].upper()}{what[1:]} ends now. {then}",
        claims=(f"run:{request.run}",),
    )


def _running(run: str, inventory: Inventory) -> BackupRun | None:
    return next(
        (one.running for one in inventory.backups.repositories if one.running and one.running.run == run),
        None,
    )

"""Backups, checks and restores on a simulated machine: half a minute long, and known from their start."""

from __future__ import annotations

import fnmatch
from datetime import UTC, datetime
from hashlib import sha256

import msgspec

from host.base import Result
from host.commands.backups import (
    BackupUnitSaid,
    ListBackupRuns,
    ReadBackupRun,
    StartBackup,
    StartRepositoryCheck,
    StartStoredRestore,
    StopBackupRun,
    run_unit,
)
from host.files.names import plain
from host.files.opening import Unreachable
from host.programs.backup.checking import part
from host.repositories.answers import Action, RunReport, SavedDataset
from host.repositories.places import REPORTS, SNAPSHOTS
from host.repositories.words import RepositoryProblem, problem
from host.simulated.backups.asking import stored_state
from host.simulated.backups.places import opened
from host.simulated.backups.state import SimulatedRun, StoredFile, StoredState
from host.simulated.datasets.file_tree import put, reached, tree
from host.simulated.datasets.lifecycle import find
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import FileState, Machine

LASTS_S = 30.0
_STOPPED = "It was stopped. What it had stored until then is not lost: the next run goes on from there."


def _begin(machine: Machine, run: str, repository: str, action: Action, end: RunReport) -> Result:
    now = machine.now()
    lasts = LASTS_S if end.verdict != "failed" else 0.0
    machine.backups.runs[run] = SimulatedRun(repository=repository, started=now, ends=now + lasts, end=end)
    return done(stderr=f"Running as unit: {run_unit(run)}\n")


def _failed(machine: Machine, run: str, action: Action, error: RepositoryProblem) -> RunReport:
    moment = _iso(machine.now())
    return RunReport(
        run=run, action=action, started_at=moment, updated_at=moment, finished_at=moment, verdict="failed",
        code=error.code, words=str(error),
    )  # fmt: skip


def _start_backup(machine: Machine, command: StartBackup) -> Result:
    try:
        end = _store(machine, command)
    except RepositoryProblem as error:
        end = _failed(machine, command.run, "backup", error)
    ours = f"{SNAPSHOTS}{command.backup}-"
    for name in command.snapshots:
        _, found = find(machine, name.partition("@")[0])
        found.snapshots = [one for one in found.snapshots if not one.tag.startswith(ours)]
    return _begin(machine, command.run, command.repository, "backup", end)


def _store(machine: Machine, command: StartBackup) -> RunReport:
    repository = opened(machine, command.repository)
    if repository.locked:
        raise problem("locked", "the repository")
    now, saved, files, size = machine.now(), [], 0, 0
    for name in command.snapshots:
        dataset, _, tag = name.partition("@")
        pool, found = find(machine, dataset)
        snapshot = next((one for one in found.snapshots if one.tag == tag), None)
        if snapshot is None:
            raise RepositoryProblem("unreadable", f"The snapshot {name} is gone.")
        states = tree(pool, found, txg=snapshot.createtxg).states.values()
        kept = [_stored(one) for one in states if not _excluded(one.path, command.exclusions)]
        made_at = _iso(snapshot.created)
        if not states:
            saved.append(SavedDataset(dataset=dataset, snapshot="", made_at=made_at))
            continue
        number = sha256(f"{command.run} {dataset}".encode()).hexdigest()
        repository.snapshots.append(
            StoredState(
                id=number, made_at=made_at, host=command.host, backup=command.backup, dataset=dataset,
                from_s=now + LASTS_S, files=kept,
            )
        )  # fmt: skip
        saved.append(SavedDataset(dataset=dataset, snapshot=number, made_at=made_at))
        files += sum(one.kind == "file" for one in kept)
        size += sum(one.size for one in kept)
    _thin(machine, command)
    what = "1 dataset is" if len(saved) == 1 else f"{len(saved)} datasets are"
    return RunReport(
        run=command.run, action="backup", started_at=_iso(now), updated_at=_iso(now + LASTS_S),
        finished_at=_iso(now + LASTS_S), files=files, total_files=files, size_bytes=size, total_bytes=size,
        new_bytes=size, saved=tuple(saved), verdict="good", words=f"{what} in the repository.",
    )  # fmt: skip


def _thin(machine: Machine, command: StartBackup) -> None:
    """Of the retention only that the last ones stay: as many as its numbers say together."""
    most = sum(msgspec.structs.astuple(command.retention))
    repository = opened(machine, command.repository)
    if not most:
        return
    for dataset in {one.dataset for one in repository.snapshots}:
        ours = [one for one in repository.snapshots if (one.backup, one.dataset) == (command.backup, dataset)]
        for old in ours[:-most]:
            repository.snapshots.remove(old)


def _excluded(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for name in path.split("/") for pattern in patterns)


def _stored(one: FileState) -> StoredFile:
    return StoredFile(
        path=one.path, kind=one.kind, size=one.size, data=one.data, leads_to=one.leads_to, mode=one.mode,
        uid=one.uid, modified_ns=one.modified_ns,
    )  # fmt: skip


def _start_check(machine: Machine, command: StartRepositoryCheck) -> Result:
    try:
        repository = opened(machine, command.repository)
        if repository.locked:
            raise problem("locked", "the repository")
    except RepositoryProblem as error:
        end = _failed(machine, command.run, "check", error)
        return _begin(machine, command.run, command.repository, "check", end)
    ended = _iso(machine.now() + LASTS_S)
    which = part(0, command.percent).replace("/", " of ")
    end = RunReport(
        run=command.run, action="check", started_at=_iso(machine.now()), updated_at=ended, finished_at=ended,
        verdict="good", words=f"The structure is sound, and part {which} of the data was read back.",
    )  # fmt: skip
    if repository.damaged:
        words = (
            "The repository is damaged: the check found 1 error. Some of what is stored may be lost. Check "
            "the disk or server that it is on, make a new repository elsewhere, and back up to that."
        )
        end = msgspec.structs.replace(end, verdict="failed", code="damaged", words=words)
    return _begin(machine, command.run, command.repository, "check", end)


def _start_restore(machine: Machine, command: StartStoredRestore) -> Result:
    target = f"{command.folder}/{command.name}".removeprefix("/")
    try:
        state = stored_state(machine, command.repository, command.stored)
        count, size = _restore(machine, command, state, target)
    except (RepositoryProblem, Unreachable) as error:
        known = error if isinstance(error, RepositoryProblem) else RepositoryProblem("other", str(error))
        end = _failed(machine, command.run, "restore", known)
        return _begin(machine, command.run, command.repository, "restore", end)
    ended = _iso(machine.now() + LASTS_S)
    end = RunReport(
        run=command.run, action="restore", started_at=_iso(machine.now()), updated_at=ended,
        finished_at=ended, files=count, total_files=count, size_bytes=size, total_bytes=size, verdict="good",
        words=f"{plain(target)} is back.",
    )  # fmt: skip
    return _begin(machine, command.run, command.repository, "restore", end)


def _restore(
    machine: Machine, command: StartStoredRestore, state: StoredState, target: str
) -> tuple[int, int]:
    pool, dataset, live = reached(machine, command.dataset, None)
    if (folder := live.get(command.folder)) is None or folder.kind != "folder":
        raise Unreachable("not-found", "There is nothing at this path.")
    if live.get(target) is not None:
        raise RepositoryProblem(
            "name-taken",
            f"There is a {plain(command.name)} already, and it stays as it is. Choose another name.",
        )
    inside = [one for one in state.files if not command.path or f"{one.path}/".startswith(f"{command.path}/")]
    if not inside and command.path:
        raise RepositoryProblem("not-found", f"There is no {plain(command.path)} in that snapshot.")
    if not command.path:
        put(machine, pool, dataset, FileState(path=target, kind="folder", mode=0o755))
    for one in sorted(inside, key=lambda one: one.path):
        rest = one.path.removeprefix(command.path) if command.path else f"/{one.path}"
        new = FileState(
            path=f"{target}{rest}", kind=one.kind, size=one.size, data=one.data, leads_to=one.leads_to,
            mode=one.mode & 0o1777, uid=one.uid, modified_ns=one.modified_ns,
        )  # fmt: skip
        put(machine, pool, dataset, new)
    return sum(one.kind == "file" for one in inside), sum(one.size for one in inside)


def report(machine: Machine, command: ReadBackupRun) -> Result:
    """cat of the report."""
    found = machine.backups.runs.get(command.run)
    if found is None:
        raise Refusal(f"cat: {REPORTS}/{command.run}.json: No such file or directory\n")
    return done(msgspec.json.encode(_now(found, machine.now())).decode())


def _now(run: SimulatedRun, now: float) -> RunReport:
    end = run.end
    if run.stopped is not None:
        moment = _iso(run.stopped)
        return msgspec.structs.replace(
            end, saved=(), verdict="stopped", code="stopped", words=_STOPPED, finished_at=moment
        )
    if now >= run.ends:
        return end
    share = max(0.0, (now - run.started) / (run.ends - run.started))
    done_bytes = int(end.total_bytes * share)
    return msgspec.structs.replace(
        end, verdict=None, code="", words="", finished_at=None, saved=(), phase=_phase(end),
        updated_at=_iso(now), files=int(end.total_files * share), size_bytes=done_bytes, new_bytes=0,
        bytes_per_s=int(end.total_bytes / (run.ends - run.started)) or None,
        remaining_s=int(run.ends - now) + 1,
    )  # fmt: skip


def _phase(end: RunReport) -> str:
    match end.action:
        case "backup":
            return f"Reading {end.saved[0].dataset}" if end.saved else ""
        case "check":
            return "Reading part 1 of 20 of the data"
        case _:
            return "Bringing files back"


def _stop(machine: Machine, command: StopBackupRun) -> Result:
    run, unit = machine.backups.runs.get(command.run), run_unit(command.run)
    if run is None or not _goes_on(run, machine.now()):
        raise Refusal(f"Failed to stop {unit}: Unit {unit} not loaded.\n", exit_status=5)
    run.stopped = machine.now()
    ids = {one.snapshot for one in run.end.saved}
    for place in machine.backups.places.values():
        place.snapshots = [one for one in place.snapshots if one.id not in ids]
    return done()


def _goes_on(run: SimulatedRun, now: float) -> bool:
    return run.stopped is None and now < run.ends


def _list(machine: Machine) -> str:
    rows = [
        {
            "unit": run_unit(key), "load": "loaded", "active": "active", "sub": "running",
            "description": f"Nasweb {run.end.action}",
        }
        for key, run in machine.backups.runs.items()
        if _goes_on(run, machine.now())
    ]  # fmt: skip
    return f"{msgspec.json.encode(rows).decode()}\n"


def _said(machine: Machine, command: BackupUnitSaid) -> str:
    why = machine.backups.refused.get(command.run, "")
    return f"{why}\n" if why else ""


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


HANDLERS = (
    on(StartBackup, _start_backup)
    | on(StartRepositoryCheck, _start_check)
    | on(StartStoredRestore, _start_restore)
    | on(ReadBackupRun, report)
    | on(StopBackupRun, _stop)
    | on(BackupUnitSaid, _said)
    | always(ListBackupRuns, _list)
)

"""Rights of folders of a simulated machine. A run takes its time; what it sets is set at once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import msgspec

from host.base import Result
from host.commands.shares.rights import (
    ApplyRights,
    ListRightsRuns,
    ReadFolderRights,
    ReadRightsReport,
    RightsUnitSaid,
    SetFolderRights,
    StopApplyingRights,
    run_unit,
)
from host.files import acl
from host.files.acl import BadAcl
from host.files.answers import Applied, FileProblem, FolderRights
from host.files.names import BadPath, components
from host.files.opening import Unreachable
from host.files.places import RIGHTS_REPORTS
from host.simulated.datasets.file_tree import Tree, reached
from host.simulated.datasets.values import effective
from host.simulated.files.reading import at
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import RightsRun
from host.simulated.state import Machine

_LASTS_S = 30.0
_DONE = "All rights are set."
_STOPPED = "It was stopped. What had been set by then stays so, and the rest is as it was."
_NO_LISTS = "Operation not supported."


def read(machine: Machine, command: ReadFolderRights) -> Result:
    """Ends well whether there is such a folder or not."""
    answer: msgspec.Struct
    try:
        components(command.path)
        _, dataset, tree = reached(machine, command.dataset, None)
        _folder(tree, command.path)
        answer = dataset.rights.get(command.path) or _unset(tree, command.path)
    except BadPath as error:
        answer = FileProblem(code="not-found", message=str(error))
    except Unreachable as error:
        answer = FileProblem(code=error.code, message=str(error))
    return done(msgspec.json.encode(answer).decode() + "\n")


def set_rights(machine: Machine, command: SetFolderRights) -> Result:
    """Ends with 3 where it cannot be done."""
    try:
        _set(machine, command.dataset, command.path, command.acl, (command.owner, command.group))
    except (BadPath, BadAcl, Unreachable) as error:
        raise Refusal(f"{error}\n", exit_status=3) from None
    return done()


def start(machine: Machine, command: ApplyRights) -> Result:
    """systemd-run: ends once the folder is open."""
    unit = run_unit(command.run)
    run = machine.rights_runs.get(command.run)
    if run is not None and _verdict(machine, run) is None:
        there = f"Unit {unit} was already loaded or has a fragment file."
        raise Refusal(f"Failed to start transient service unit: {there}\n")
    try:
        components(command.path)
        tree = reached(machine, command.dataset, None)[2]
        _folder(tree, command.path)
        inner = [one.path for one in tree.below(command.path) if one.kind == "folder"]
        for path in (command.path, *inner):
            _set(machine, command.dataset, path, command.acl, None)
    except (BadPath, BadAcl, Unreachable) as error:
        machine.refused[unit] = machine.now(), str(error)
        hint = f'See "systemctl status {unit}" and "journalctl -xeu {unit}" for details.'
        raise Refusal(f"Job for {unit} failed.\n{hint}\n") from None
    below = tree.below(command.path)
    machine.rights_runs[command.run] = RightsRun(
        dataset=command.dataset,
        path=command.path,
        access=command.acl,
        started=machine.now(),
        files=sum(one.kind == "file" for one in below),
        folders=1 + len(inner),
        skipped=sum(one.kind == "link" for one in below),
    )
    return done(stderr=f"Running as unit: {unit}\n")


def stop(machine: Machine, command: StopApplyingRights) -> Result:
    """systemctl stop."""
    run = machine.rights_runs.get(command.run)
    if run is None or _verdict(machine, run) is not None:
        unit = run_unit(command.run)
        raise Refusal(f"Failed to stop {unit}: Unit {unit} not loaded.\n", exit_status=5)
    run.stopped = machine.now()
    return done()


def report(machine: Machine, command: ReadRightsReport) -> Result:
    """cat of the report."""
    run = machine.rights_runs.get(command.run)
    if run is None:
        path = f"{RIGHTS_REPORTS}/{command.run}.json"
        raise Refusal(f"cat: {path}: No such file or directory\n")
    verdict = _verdict(machine, run)
    at_last = min(machine.now(), run.stopped or machine.now(), run.started + _LASTS_S)
    share = (at_last - run.started) / _LASTS_S
    facts = Applied(
        run=command.run,
        dataset=run.dataset,
        path=run.path,
        access=run.access,
        started_at=_iso(run.started),
        updated_at=_iso(at_last),
        finished_at=_iso(at_last) if verdict else None,
        verdict=verdict,
        words={"done": _DONE, "stopped": _STOPPED}.get(verdict or "", ""),
        files=int(run.files * share),
        folders=max(1, int(run.folders * share)),
        skipped=int(run.skipped * share),
    )
    return done(msgspec.json.encode(facts).decode())


def list_runs(machine: Machine) -> str:
    """systemctl list-units, as JSON."""
    rows = [
        {"unit": run_unit(name), "load": "loaded", "active": "active", "sub": "running", "description": ""}
        for name, run in sorted(machine.rights_runs.items())
        if _verdict(machine, run) is None
    ]
    return msgspec.json.encode(rows).decode() + "\n"


def said(machine: Machine, command: RightsUnitSaid) -> str:
    """journalctl: the last line of the unit's program."""
    _, why = machine.refused.get(run_unit(command.run), (0.0, ""))
    return f"{why}\n" if why else ""


def _set(machine: Machine, name: str, path: str, said: str, whose: tuple[int, int] | None) -> None:
    components(path)
    pool, dataset, tree = reached(machine, name, None)
    _folder(tree, path)
    if effective(pool, dataset, "acltype") != "posix":
        raise Unreachable("unreadable", _NO_LISTS)
    before = dataset.rights.get(path) or _unset(tree, path)
    owner, group = whose or (before.owner, before.group)
    listed = acl.text(acl.parse(said))
    dataset.rights[path] = FolderRights(owner=owner, group=group, access=listed, default=listed)


def _unset(tree: Tree, path: str) -> FolderRights:
    state = at(tree, path)
    return FolderRights(owner=state.uid, group=state.uid, access=acl.text(acl.of_mode(state.mode)))


def _folder(tree: Tree, path: str) -> None:
    if at(tree, path).kind != "folder":
        raise Unreachable("not-a-folder", "This is no folder.")


def _verdict(machine: Machine, run: RightsRun) -> Literal["done", "stopped"] | None:
    if run.stopped is not None:
        return "stopped"
    return "done" if machine.now() >= run.started + _LASTS_S else None


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


HANDLERS = (
    on(ReadFolderRights, read)
    | on(ReadRightsReport, report)
    | always(ListRightsRuns, list_runs)
    | on(RightsUnitSaid, said)
    | on(SetFolderRights, set_rights)
    | on(ApplyRights, start)
    | on(StopApplyingRights, stop)
)

"""Restores on a simulated machine, which are over at once, and files that are handed out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import msgspec

from host.base import Result
from host.commands.files import (
    FilesUnitSaid,
    HandOutFile,
    ListRestores,
    ReadRestore,
    RestoreFile,
    StopRestore,
    download_unit,
    files_unit,
    restore_unit,
)
from host.files.answers import Restored
from host.files.names import BadPath, components, plain
from host.files.opening import Unreachable
from host.files.places import REPORTS
from host.simulated.datasets.file_tree import Tree, put, reached, remove
from host.simulated.datasets.space import usages
from host.simulated.files.reading import at
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import HandedOut
from host.simulated.state import Dataset, FileState, Machine, Pool

_NO_FOLDER = "This is no folder."
_NO_FILE = "This is no regular file, so it has no content to be read."
_NO_SPACE = "the pool has no space left. Free some, or restore less at a time."
_QUOTA = "the quota is reached. Raise the dataset's or the owner's quota, or free space within it."


def start(machine: Machine, command: RestoreFile) -> Result:
    """systemd-run: ends once the copy is in its place."""
    unit = restore_unit(command.restore)
    try:
        _restore(machine, command)
    except (Unreachable, BadPath) as error:
        _report(machine, command, "failed", str(error))
        raise _gave_up(machine, unit, str(error)) from None
    target = f"{command.folder}/{command.name}".removeprefix("/")
    _report(machine, command, "restored", f"{plain(target)} is back.")
    return done(stderr=f"Running as unit: {unit}\n")


def _restore(machine: Machine, command: RestoreFile) -> None:
    source = reached(machine, command.dataset, command.tag)[2]
    pool, dataset, live = reached(machine, command.dataset, None)
    top = at(source, command.path)
    folder = live.get(command.folder)
    if folder is None or folder.kind != "folder":
        raise Unreachable("not-found", "There is nothing at this path.")
    target = f"{command.folder}/{command.name}".removeprefix("/")
    if live.get(target) and not command.over:
        why = f"There is a {plain(command.name)} already, and it stays as it is. Choose another name."
        raise Unreachable("unreadable", why)
    _check_space(pool, dataset, top, source, command.path)
    remove(pool, dataset, target)
    for state in [top, *sorted(source.below(command.path), key=lambda one: one.path)]:
        path = f"{target}{state.path.removeprefix(command.path)}"
        put(machine, pool, dataset, msgspec.structs.replace(state, path=path))


def _check_space(pool: Pool, dataset: Dataset, top: FileState, source: Tree, path: str) -> None:
    size = sum(one.size for one in [top, *source.below(path)])
    if size > usages(pool)[dataset.name].available:
        limited = any(dataset.values.get(name, "0") not in {"0", "none"} for name in ("quota", "refquota"))
        name = plain(path.rpartition("/")[2])
        raise Unreachable("unreadable", f"{name}: {_QUOTA if limited else _NO_SPACE}")


def stop(_machine: Machine, command: StopRestore) -> Result:
    """systemctl stop: it has always ended."""
    unit = restore_unit(command.restore)
    raise Refusal(f"Failed to stop {unit}: Unit {unit} not loaded.\n", exit_status=5)


def report(machine: Machine, command: ReadRestore) -> Result:
    """cat of the report."""
    found = machine.restores.get(command.restore)
    if found is None:
        raise Refusal(f"cat: {REPORTS}/{command.restore}.json: No such file or directory\n")
    return done(msgspec.json.encode(found).decode())


def said(machine: Machine, command: FilesUnitSaid) -> str:
    """journalctl: the last line of the unit's program."""
    _, why = machine.refused.get(files_unit(command.what, command.key), (0.0, ""))
    return f"{why}\n" if why else ""


def hand_out(machine: Machine, command: HandOutFile) -> Result:
    """systemd-run: ends once the file waits to be collected."""
    unit = download_unit(command.ticket)
    try:
        components(command.path)
        found = reached(machine, command.dataset, command.tag)[2]
        state = at(found, command.path)
        wanted = "folder" if command.archive else "file"
        if state.kind != wanted:
            why = _NO_FOLDER if command.archive else _NO_FILE
            raise Unreachable("not-a-file", why)
    except (Unreachable, BadPath) as error:
        raise _gave_up(machine, unit, str(error)) from None
    machine.handed[command.ticket] = HandedOut(
        dataset=command.dataset, tag=command.tag, path=command.path, archive=command.archive
    )
    return done(stderr=f"Running as unit: {unit}\n")


def _report(
    machine: Machine, command: RestoreFile, verdict: Literal["restored", "failed"], words: str
) -> None:
    now = datetime.fromtimestamp(machine.now(), UTC).isoformat(timespec="seconds")
    machine.restores[command.restore] = Restored(
        restore=command.restore,
        dataset=command.dataset,
        source=command.path,
        target=f"{command.folder}/{command.name}".removeprefix("/"),
        started_at=now,
        updated_at=now,
        finished_at=now,
        verdict=verdict,
        words=words,
    )


def _gave_up(machine: Machine, unit: str, why: str) -> Refusal:
    """What systemd-run says; `why` goes to the journal."""
    machine.refused[unit] = machine.now(), why
    return Refusal(
        f'Job for {unit} failed.\nSee "systemctl status {unit}" and "journalctl -xeu {unit}" for details.\n'
    )


def _list_runs(_machine: Machine) -> str:
    """A restore is over as soon as it has begun."""
    return "[]\n"


HANDLERS = (
    always(ListRestores, _list_runs)
    | on(ReadRestore, report)
    | on(FilesUnitSaid, said)
    | on(RestoreFile, start)
    | on(StopRestore, stop)
    | on(HandOutFile, hand_out)
)

"""Copies of the console's settings on a simulated machine: the real program, on folders beside its file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from host.backup.folders import READY, SAMBA, STAGED, Folders, beside
from host.backup.mounting import Unreachable
from host.base import Result
from host.commands.base import Command
from host.commands.copies import (
    CheckCopy,
    ForgetStaged,
    HandOutCopy,
    ImportSambaAccounts,
    KeepCopy,
    ListCopies,
    OrderRestored,
    RestartConsole,
    SaveSambaAccounts,
    StageCopy,
)
from host.files.handover import Handed
from host.programs import copies
from host.simulated import samba_people
from host.simulated.datasets.locks import is_locked
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import HandedOut
from host.simulated.state import Machine
from host.system.own_datasets import DATASET


def folders(machine: Machine) -> Folders:
    """Where it keeps what is too large for its file."""
    return beside(Path(machine.folder))


def _run(machine: Machine, command: Command) -> Result:
    argv = command.argv()
    arguments = [word for word in argv[argv.index("host.programs.copies") + 1 :] if word != "--owned"]

    @contextmanager
    def opened(dataset: str, writes: bool) -> Iterator[int]:
        with _shelf(machine, dataset, writes=writes) as descriptor:
            yield descriptor

    try:
        return done(copies.carry_out(arguments, opened=opened, folders=folders(machine)))
    except copies.Refused as refused:
        raise Refusal(f"{refused}\n", exit_status=copies.REFUSED) from None


@contextmanager
def _shelf(machine: Machine, name: str, *, writes: bool) -> Iterator[int]:
    pool = machine.pools.get(name.partition("/")[0])
    dataset = pool.datasets.get(name) if pool else None
    if pool is None or dataset is None or name.partition("/")[2] != DATASET:
        raise Unreachable("none", "There are no copies on this pool.")
    if is_locked(pool, dataset):
        raise Unreachable("locked", f"{name} is locked. Unlock the pool first.")
    if writes and pool.readonly:
        raise Unreachable("unreadable", "The pool is read-only.")
    folder = Path(machine.folder) / "copies" / f"{dataset.guid:016x}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _hand_out(machine: Machine, command: HandOutCopy) -> Result:
    """It waits in the machine's state, as a file of a dataset does."""
    name = command.upload or command.copy or ""
    machine.handed[command.ticket] = HandedOut(
        dataset=command.dataset or "", tag=None, path=name, archive=False, copy=True
    )
    with content(machine, machine.handed[command.ticket]):
        return done()


@contextmanager
def content(machine: Machine, handed: HandedOut) -> Iterator[tuple[Handed, bytes]]:
    """A copy that was handed out."""
    if not handed.dataset:
        data = (folders(machine).uploads / handed.path).read_bytes()
        yield Handed(name=f"{handed.path}.nasweb", size_bytes=len(data)), data
        return
    try:
        with _shelf(machine, handed.dataset, writes=False) as shelf:
            descriptor = os.open(handed.path, os.O_RDONLY, dir_fd=shelf)
            with os.fdopen(descriptor, "rb") as file:
                data = file.read()
    except (Unreachable, OSError) as error:
        raise Refusal(f"{error}\n", exit_status=copies.REFUSED) from None
    yield Handed(name=handed.path, size_bytes=len(data)), data


def _save_samba(machine: Machine) -> Result:
    if machine.samba_missing:
        raise Refusal("Failed to find executable pdbedit: No such file or directory\n")
    place = folders(machine).workshop
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    (place / SAMBA).write_text(samba_people.lines(machine))
    return done()


def _import_samba(machine: Machine) -> Result:
    if machine.samba_missing:
        raise Refusal("pdbedit: command not found\n", exit_status=127)
    path = folders(machine).workshop / f"{SAMBA}.restored"
    return done(samba_people.take_lines(machine, path.read_text() if path.exists() else ""))


def _restart(_machine: Machine) -> None:
    """The console is no part of the simulated machine."""


def _forget(machine: Machine) -> Result:
    found = folders(machine)
    (found.workshop / f"{SAMBA}.restored").unlink(missing_ok=True)
    if found.restored.exists():
        for path in found.restored.iterdir():
            path.unlink()
        found.restored.rmdir()
    return done()


def _order(machine: Machine) -> Result:
    restored = folders(machine).restored
    if not (restored / STAGED).exists():
        raise Refusal(f"mv: cannot stat '/var/lib/nasweb-restored/{STAGED}': No such file or directory\n")
    (restored / STAGED).replace(restored / READY)
    return done()


HANDLERS = (
    on(KeepCopy, _run)
    | on(ListCopies, _run)
    | on(CheckCopy, _run)
    | on(StageCopy, _run)
    | on(HandOutCopy, _hand_out)
    | always(SaveSambaAccounts, _save_samba)
    | always(ImportSambaAccounts, _import_samba)
    | always(ForgetStaged, _forget)
    | always(OrderRestored, _order)
    | always(RestartConsole, _restart)
)

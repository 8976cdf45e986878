"""Mounts the datasets: aside while they are copied, and in the places of /var and /home from then on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from host.commands.system.moved_state import dataset_of
from host.commands.system.state_program import BindFolder, MountDataset, Unmount
from host.programs.moved_state.context import FAILURES, Context
from host.programs.moved_state.places import FOLDERS, KEPT
from host.programs.moved_state.wanted import Wanted


def mount_new(run: Context, pool: str, wanted: Wanted) -> None:
    """Mount the datasets aside. Raises one of `FAILURES`."""
    for folder in wanted.what:
        at = run.places.new / folder
        run.disk.make_folder(at)
        run.host.run(MountDataset(name=dataset_of(pool, folder), folder=str(at)))


def unmount_new(run: Context) -> None:
    """Unmount what is mounted there, if only by a run that was cut off. Raises one of `FAILURES`."""
    for folder in FOLDERS:
        _unmount(run, run.places.new / folder)


def give_up_new(run: Context) -> None:
    """The same after something has failed, which is what has to be said; as much as can be."""
    for folder in FOLDERS:
        with suppress(*FAILURES):
            _unmount(run, run.places.new / folder)


def mount_all(run: Context, pool: str, wanted: Wanted) -> None:
    """Mount the datasets over /var and /home. Raises one of `FAILURES`."""
    own = run.places.own
    run.disk.make_folder(own)
    run.host.run(BindFolder(source=str(run.places.root), folder=str(own), private=True))
    for folder in wanted.what:
        run.host.run(MountDataset(name=dataset_of(pool, folder), folder=str(run.places.folder(folder))))
    if "var" not in wanted.what:
        return
    for kept in KEPT:
        source = own / "var" / kept
        if source.is_dir():
            run.host.run(BindFolder(source=str(source), folder=str(run.places.folder("var") / kept)))


def unmount_all(run: Context) -> None:
    """Take back what of that was mounted; as much as can be."""
    for at in (
        *(run.places.folder("var") / kept for kept in KEPT),
        *(run.places.folder(folder) for folder in FOLDERS),
        run.places.own,
    ):
        with suppress(*FAILURES):
            _unmount(run, at, lazy=True)


def _unmount(run: Context, at: Path, *, lazy: bool = False) -> None:
    if any(one.place == str(at) for one in run.mounts()):
        run.host.run(Unmount(folder=str(at), lazy=lazy))

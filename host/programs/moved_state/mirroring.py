"""Copies folders: from the own disk to their datasets, and back. Each raises one of `FAILURES`."""

from __future__ import annotations

from pathlib import Path

from host.commands.system.moved_state import Moved
from host.commands.system.state_program import Mirror, RemoveFolders
from host.programs.moved_state.context import Context
from host.programs.moved_state.places import KEPT

_LIB = "lib/"


def copy_out(run: Context, folder: Moved) -> None:
    """A folder of the own disk to its dataset."""
    source, target = run.places.folder(folder), run.places.new / folder
    kept = KEPT if folder == "var" else ()
    run.host.run(Mirror(source=str(source), target=str(target), delete=True, leave_out=kept))
    for name in kept:  # the own disk's are mounted there
        if (source / name).is_dir():
            run.disk.make_folder(target / name)


def compare_bytes(run: Context) -> None:
    """Databases that are written by mmap may change without a new time: these are compared byte by byte."""
    run.host.run(
        Mirror(
            source=str(run.places.folder("var") / "lib"),
            target=str(run.places.new / "var" / "lib"),
            delete=True,
            checksum=True,
            leave_out=tuple(name.removeprefix(_LIB) for name in KEPT if name.startswith(_LIB)),
        )
    )


def copy_back(run: Context, folder: Moved) -> None:
    """A dataset to a new folder beside the old one, in which what has not changed is the same file."""
    old, new = run.places.folder(folder), run.places.beside(folder)
    run.host.run(RemoveFolders(folders=(str(new),)))
    run.disk.make_folder(new)
    kept = KEPT if folder == "var" else ()
    _link(run, run.places.new / folder, new, old, leave_out=kept)
    for name in kept:
        if (old / name).is_dir():
            run.disk.make_folder(new / name)
            _link(run, old / name, new / name, old / name)


def _link(run: Context, source: Path, target: Path, old: Path, *, leave_out: tuple[str, ...] = ()) -> None:
    run.host.run(Mirror(source=str(source), target=str(target), link_dest=str(old), leave_out=leave_out))

"""What a way back leaves on the own disk until it has come to its end. Each raises one of `FAILURES`."""

from __future__ import annotations

from host.commands.system.state_program import RemoveFolders
from host.commands.system.syncing import SyncFileSystem
from host.programs.moved_state.context import Context
from host.programs.moved_state.places import FOLDERS
from host.programs.moved_state.wanted import Wanted


def brought_back(run: Context, wanted: Wanted) -> bool:
    """Whether all of it is here, in its place or beside it."""
    return all(any(marker.exists() for marker in run.places.markers(folder)) for folder in wanted.what)


def distrust(run: Context) -> None:
    """No longer is anything whole that an unfinished way back has left."""
    for folder in FOLDERS:
        markers = run.places.markers(folder)
        if any(marker.exists() for marker in markers):
            run.disk.remove(*markers)
            run.host.run(SyncFileSystem(folder=str(run.places.root)))


def sweep(run: Context) -> None:
    """Remove it: the way back begins anew."""
    distrust(run)
    run.host.run(RemoveFolders(folders=tuple(str(run.places.beside(folder)) for folder in FOLDERS)))


def finish(run: Context) -> None:
    """End a way back, whether it has come to its aim (`place` does not exist) or has failed."""
    places = run.places
    for folder in FOLDERS:
        beside, in_place = places.beside(folder), places.markers(folder)[0]
        # What was written here while the pool was missing is nowhere else. It lies beside its place once both
        # have been exchanged, even where the other folder's exchange failed.
        exchanged = in_place.exists() or not places.place.exists()
        if places.ran_here.exists() and exchanged and beside.is_dir():
            run.disk.rename(beside, places.root / f"{folder}.before-{run.now():%Y%m%dT%H%M%SZ}")
        run.host.run(RemoveFolders(folders=(str(beside),)))
        run.disk.remove(in_place)
    if not places.place.exists():
        run.disk.remove(places.ran_here)
    run.disk.remove(places.way_back)
    run.host.run(SyncFileSystem(folder=str(places.etc)))

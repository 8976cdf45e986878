"""The way back: beside each folder a new one is made, and then both change places in one step."""

from __future__ import annotations

from host.commands.system.state_program import ExchangeFolders
from host.commands.system.syncing import SyncFileSystem
from host.programs.moved_state.context import FAILURES, Context
from host.programs.moved_state.mirroring import copy_back
from host.programs.moved_state.mounting import give_up_new, mount_new, unmount_new
from host.programs.moved_state.places import COMPLETE
from host.programs.moved_state.pool import Unusable, find_pool
from host.programs.moved_state.remains import brought_back, finish, sweep
from host.programs.moved_state.report import last_words, report_here, report_not_returned
from host.programs.moved_state.wanted import Wanted, read_wanted


def bring_back(run: Context) -> None:
    """Raises `BadFile`, or one of `FAILURES` where the own disk cannot be written."""
    if run.places.place.exists() and not _switched(run, read_wanted(run.places.place)):
        return
    finish(run)


def _switched(run: Context, wanted: Wanted) -> bool:
    """Whether the own disk has the state now. If not, what there is to say has been said."""
    # Cut off when all of it was here: it goes on without the pool.
    if not brought_back(run, wanted):
        try:
            pool = find_pool(run.host, wanted)
        except Unusable as unusable:
            sweep(run)
            report_here(run, unusable.reason)
            return False
        unmount_new(run)
        try:
            _copy_all(run, pool, wanted)
        except FAILURES as error:
            _fail(run, error)
            return False
        unmount_new(run)
    try:
        _take_places(run, wanted)
    except FAILURES as error:
        _fail(run, error)
        return False
    return True


def _copy_all(run: Context, pool: str, wanted: Wanted) -> None:
    mount_new(run, pool, wanted)
    for folder in wanted.what:
        copy_back(run, folder)
    run.disk.sync()
    # Only now: where one is older than the other nothing may be used.
    for folder in wanted.what:
        run.disk.write(run.places.beside(folder) / COMPLETE)
    run.disk.sync()


def _take_places(run: Context, wanted: Wanted) -> None:
    for folder in wanted.what:
        in_place, _ = run.places.markers(folder)
        if not in_place.exists():
            one, other = run.places.beside(folder), run.places.folder(folder)
            run.host.run(ExchangeFolders(one=str(one), other=str(other)))
    run.disk.sync()
    run.disk.remove(run.places.place)
    run.host.run(SyncFileSystem(folder=str(run.places.etc)))


def _fail(run: Context, error: Exception) -> None:
    """The state is still on the pool, and nasweb-state.service mounts it next."""
    give_up_new(run)
    finish(run)  # what is half made is of no use later
    report_not_returned(run, last_words(error))

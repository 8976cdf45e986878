"""`copy`: the first copy, while the machine works. Once it has gone well the next start moves."""

from __future__ import annotations

import sys

from host.base import CommandFailed
from host.commands.system.syncing import SyncFileSystem
from host.programs.moved_state.context import FAILURES, Context
from host.programs.moved_state.mirroring import copy_out
from host.programs.moved_state.mounting import give_up_new, mount_new, unmount_new
from host.programs.moved_state.pool import find_pool
from host.programs.moved_state.remains import sweep
from host.programs.moved_state.wanted import Wanted, read_wanted

_VANISHED = 24


def copy(run: Context) -> None:
    """Raises `BadFile`, `Unusable`, or one of `FAILURES`; then nothing but the datasets has changed."""
    places = run.places
    wanted = read_wanted(places.wanted)
    pool = find_pool(run.host, wanted)
    sweep(run)  # a marker that was copied along would make a later way back bring nothing
    try:
        unmount_new(run)
        mount_new(run, pool, wanted)
        _copy_all(run, wanted)
        unmount_new(run)
    except FAILURES:
        give_up_new(run)
        raise
    run.disk.sync()
    run.disk.rename(places.wanted, places.order)
    run.host.run(SyncFileSystem(folder=str(places.etc)))
    run.say("The first copy is made. The next start of the machine makes the last one, and switches.")


def _copy_all(run: Context, wanted: Wanted) -> None:
    for folder in wanted.what:
        try:
            copy_out(run, folder)
        except CommandFailed as error:
            if error.result.exit != _VANISHED:  # files are deleted while the machine works
                raise
            sys.stderr.write(error.result.stderr)

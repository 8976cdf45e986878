"""`start`: at each start since the move, mount; or go on with what the own disk has."""

from __future__ import annotations

from contextlib import suppress

from host.inventory.moved import NotThere
from host.programs.moved_state.context import FAILURES, Context
from host.programs.moved_state.mounting import mount_all, unmount_all
from host.programs.moved_state.pool import Unusable, find_pool
from host.programs.moved_state.remains import distrust
from host.programs.moved_state.report import last_words, report_here, report_pool
from host.programs.moved_state.wanted import read_wanted


def start(run: Context) -> None:
    """Raises `BadFile`, or one of `FAILURES` where the own disk cannot be written."""
    wanted = read_wanted(run.places.place)
    distrust(run)  # what an unfinished way back has left is older than what comes now
    try:
        pool = find_pool(run.host, wanted)
    except Unusable as unusable:
        _fall_back(run, unusable.reason)
        return
    try:
        mount_all(run, pool, wanted)
    except FAILURES as error:
        unmount_all(run)
        _fall_back(run, "mount-failed", last_words(error))
        return
    report_pool(run)
    named = " and ".join(f"/{folder}" for folder in wanted.what)
    run.say(f"{named} since {wanted.since}: on the pool {pool}.")


def _fall_back(run: Context, reason: NotThere, said: str = "") -> None:
    """This start works with what is here, which differs from the pool's from now on."""
    report_here(run, reason, said)
    with suppress(OSError):
        run.disk.write(run.places.ran_here)

"""`move`: at the start, before anything writes to /var, the last copy, or the way back."""

from __future__ import annotations

from host.commands.system.syncing import SyncFileSystem
from host.programs.moved_state.context import FAILURES, Context
from host.programs.moved_state.mirroring import compare_bytes, copy_out
from host.programs.moved_state.mounting import give_up_new, mount_new, unmount_new
from host.programs.moved_state.pool import Unusable, find_pool
from host.programs.moved_state.report import last_words, report_here
from host.programs.moved_state.returning import bring_back
from host.programs.moved_state.wanted import Wanted, read_wanted


def move(run: Context) -> None:
    """Raises `BadFile`, or one of `FAILURES` where the own disk cannot be written."""
    places = run.places
    if places.place.exists():  # a start that was cut off after the last rename
        run.disk.remove(places.order, places.failed)
    if places.order.exists() and not _carry_out(run):
        return
    if places.way_back.exists():
        bring_back(run)


def _carry_out(run: Context) -> bool:
    """Whether the order has been carried out."""
    wanted = read_wanted(run.places.order)
    try:
        pool = find_pool(run.host, wanted)
    except Unusable as unusable:
        report_here(run, unusable.reason)
        return False
    unmount_new(run)
    try:
        _move_out(run, pool, wanted)
    except FAILURES as error:
        give_up_new(run)
        said = last_words(error)
        run.disk.append(run.places.order, f"said={said}\n".encode())
        run.disk.rename(run.places.order, run.places.failed)
        report_here(run, "copy-failed", said)
        return False
    return True


def _move_out(run: Context, pool: str, wanted: Wanted) -> None:
    places = run.places
    mount_new(run, pool, wanted)
    for folder in wanted.what:
        copy_out(run, folder)
        if folder == "var":
            compare_bytes(run)
    unmount_new(run)
    run.disk.sync()
    new = places.place.with_name(f"{places.place.name}.new")
    since = f"since={run.now():%Y-%m-%dT%H:%M:%SZ}\n"
    run.disk.write(new, places.order.read_bytes() + since.encode())
    run.disk.sync_file(new)
    run.disk.rename(new, places.place)
    run.disk.remove(places.order, places.failed, places.ran_here)
    run.host.run(SyncFileSystem(folder=str(places.etc)))

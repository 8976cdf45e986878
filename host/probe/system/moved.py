"""Where /var and /home lie, from the files that hold what was requested and what the last start reported."""

from __future__ import annotations

from typing import cast, get_args

from host.base import CommandFailed, Host
from host.commands.system.moved_state import (
    CRYPTTAB,
    FAILED,
    NOT_RETURNED,
    ORDER,
    PLACE,
    RETURN,
    TOLD,
    WANTED,
    StateCopying,
    StateFiles,
    StateSpace,
)
from host.inventory import FolderSpace, MovedState
from host.inventory.moved import MovedPhase, NotThere
from host.lines import by_path

_Files = dict[str, list[str]]
_KNOWN = get_args(NotThere)
# Coarse enough that an idle machine reads the same: a change is written down, which takes space itself.
_GRAIN = 16 << 20


def read_moved(host: Host) -> MovedState:
    """Reports nothing moved where the machine does not answer. Raises `HostError`."""
    try:
        files = host.run(StateFiles()).stdout
        # Where it was never requested, this costs one read of files that are not there.
        copying = host.run(StateCopying()).stdout if f"{WANTED}\0" in files else ""
        spaces = host.run(StateSpace()).stdout
    except CommandFailed:
        return MovedState()
    return parse_moved(files, copying, spaces)


def parse_moved(text: str, copying: str, spaces: str) -> MovedState:
    """From lines behind their paths and NUL, the state of the unit that makes the first copy, and df."""
    files = by_path(text)
    phase, path = _phase(files, copying.strip())
    wanted, report = _values(files.get(path, ())), _values(files.get(TOLD, ()))
    why = report.get("why") or None
    return MovedState(
        phase=phase,
        pool=wanted.get("pool", ""),
        guid=wanted.get("guid", ""),
        folders=tuple(wanted.get("what", "").split()),
        since=wanted.get("since"),
        here=report.get("from") != "pool",
        why=cast("NotThere", why if why in _KNOWN else "unknown") if why else None,
        said=wanted.get("said") or report.get("said") or _values(files.get(NOT_RETURNED, ())).get("said", ""),
        spaces=_spaces(spaces),
        crypttab=any(line.strip() and not line.lstrip().startswith("#") for line in files.get(CRYPTTAB, ())),
    )


def _phase(files: _Files, copying: str) -> tuple[MovedPhase, str]:
    """The phase, and the file that describes it. Once the folders are moved, older requests do not count."""
    if PLACE in files:
        return ("returning" if RETURN in files else "moved"), PLACE
    if ORDER in files:
        return "waiting", ORDER
    if WANTED in files:
        return ("copying" if copying in {"active", "activating"} else "broken-off"), WANTED
    return ("failed", FAILED) if FAILED in files else ("none", "")


def _values(lines: list[str] | tuple[()]) -> dict[str, str]:
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _spaces(text: str) -> tuple[FolderSpace, ...]:
    """From df: `target used avail` in bytes, after a line of titles. A target may hold spaces.

    What is used is rounded up, what is free down.
    """
    rows = [line.rsplit(maxsplit=2) for line in text.splitlines()[1:]]
    return tuple(
        FolderSpace(
            mountpoint=target,
            used_bytes=-(-int(used) // _GRAIN) * _GRAIN,
            free_bytes=int(free) // _GRAIN * _GRAIN,
        )
        for target, used, free in rows
    )

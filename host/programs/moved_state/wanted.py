"""The files of lines NAME=VALUE, written by the console, that say what is moved where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from host.commands.system.moved_state import Moved
from host.programs.moved_state.places import FOLDERS

_GUID = re.compile(r"[1-9][0-9]{0,19}")


class BadFile(Exception):
    """It does not say what it should: nothing is done by it."""


class Wanted(NamedTuple):
    """What is moved, and to which pool."""

    guid: str
    what: tuple[Moved, ...]
    since: str = ""  # when it was moved


def read_wanted(path: Path) -> Wanted:
    """What a file says; lines of other names are the console's. Raises `BadFile`, `OSError`."""
    # What has no line feed was cut off, and counts for nothing.
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    what: list[Moved] = []
    for name in values.get("what", "").split():
        folder = next((one for one in FOLDERS if one == name), None)
        if folder is None:
            raise BadFile(f"{path} names no folder of ours: {name}")
        if folder not in what:
            what.append(folder)
    guid = values.get("guid", "")
    if not guid or not what:
        raise BadFile(f"{path} is not complete.")
    if _GUID.fullmatch(guid) is None:
        raise BadFile(f"{path} names no pool by its number: {guid}")
    return Wanted(guid, tuple(what), values.get("since", ""))

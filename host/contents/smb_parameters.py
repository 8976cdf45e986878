"""Parameters of smb.conf(5) that may be added to a share. All that starts programs, follows links out of the
share, reads other files or changes who somebody is stays out.
"""

from __future__ import annotations

import re

import msgspec

_BOOLEAN = r"yes|no"
_MODE = r"0?[0-7]{3}"
_NUMBER = r"[0-9]{1,9}"
_MASKS = r"(?:/[^/%\"\\\[\];#\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]{1,60}){1,20}/"


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter: what its value must look like, in a pattern and in words, and what it is for."""

    name: str
    pattern: str
    looks: str
    why: str


def _parameter(name: str, pattern: str, looks: str, why: str) -> tuple[str, Parameter]:
    return name, Parameter(name=name, pattern=pattern, looks=looks, why=why)


ALLOWED: dict[str, Parameter] = dict(
    (
        _parameter(
            "aio read size", _NUMBER, "a number of bytes", "Reads from so many bytes on run side by side."
        ),
        _parameter(
            "aio write size", _NUMBER, "a number of bytes", "Writes from so many bytes on run side by side."
        ),
        _parameter(
            "create mask", _MODE, "a mode such as 0664", "The most permissions that new files can get."
        ),
        _parameter(
            "directory mask", _MODE, "a mode such as 0775", "The most permissions that new folders can get."
        ),
        _parameter("hide dot files", _BOOLEAN, "yes or no", "Whether names with a leading dot are hidden."),
        _parameter(
            "hide files", _MASKS, "names between slashes", "Files that are hidden, such as /lost+found/."
        ),
        _parameter(
            "hide unreadable",
            _BOOLEAN,
            "yes or no",
            "Whether what somebody cannot read is left out of lists.",
        ),
        _parameter(
            "inherit owner", _BOOLEAN, "yes or no", "Whether new files belong to the owner of their folder."
        ),
        _parameter("map archive", _BOOLEAN, "yes or no", "Whether the archive bit of DOS is kept."),
        _parameter(
            "max connections", _NUMBER, "a number", "How many connections are let in at a time; 0: all."
        ),
        _parameter(
            "strict allocate", _BOOLEAN, "yes or no", "Whether space is taken when a file is made longer."
        ),
        _parameter("strict sync", _BOOLEAN, "yes or no", "Whether a client's flush waits for the disks."),
        _parameter("sync always", _BOOLEAN, "yes or no", "Whether each write waits for the disks."),
        _parameter(
            "veto files", _MASKS, "names between slashes", "Files nobody can see or make, such as /*.exe/."
        ),
    )
)


def extra_fault(name: str, value: str) -> str | None:
    """Why a parameter cannot be added with that value; None when it can."""
    found = ALLOWED.get(name)
    if found is None:
        return f"“{name[:60]}” cannot be added. These can: {', '.join(ALLOWED)}."
    if not re.fullmatch(found.pattern, value):
        return f"{name} takes {found.looks}."
    return None

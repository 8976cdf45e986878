"""Where file systems may be mounted: the one rule for plans, for foreign pools, and for the root helper.

A file system mounted over a folder of the system replaces what root reads and runs there. So folders are
allowed, not forbidden: those below `OPEN_ROOTS` for everybody who may write pools, those that no Debian
system uses (`/tank`, `/home/anna`) for admins, and nothing else. What the system itself moves (`/var` and
`/home` on a pool) is mounted by units of its own from `mountpoint=legacy`, and passes by here as such.

Folder names of a Debian system: hier(7) and the Filesystem Hierarchy Standard 3.0.
"""

from __future__ import annotations

import unicodedata
from enum import StrEnum

OPEN_ROOTS = ("/mnt", "/srv", "/media")
UNMOUNTED = frozenset({"none", "legacy"})
LONGEST = 1023  # MAXPATHLEN less its end

_SYSTEM = frozenset({
    "bin", "boot", "dev", "etc", "initrd.img", "lib", "lib32", "lib64", "libo32", "libx32", "lost+found",
    "opt", "proc", "root", "run", "sbin", "sys", "tmp", "usr", "var", "vmlinuz",
})  # fmt: skip
_ROOTS_THEMSELVES = frozenset({*OPEN_ROOTS, "/home"})


class Zone(StrEnum):
    """Who may have something mounted at a folder."""

    OPEN = "open"  # everybody who may write pools
    ELSEWHERE = "elsewhere"  # admins, after a warning
    SYSTEM = "system"  # nobody


def path_fault(path: str) -> str | None:
    """Why `path` is no absolute path in its one spelling; None when it is. `none` is no path."""
    if len(path) > LONGEST or not path.isprintable():
        return f"A mount point has at most {LONGEST} printable characters."
    parts = path.split("/")
    if not path.startswith("/") or (path != "/" and any(part in {"", ".", ".."} for part in parts[1:])):
        return "A mount point is an absolute path without “.”, “..”, double slashes or a slash at its end."
    if unicodedata.normalize("NFKC", path) != path:
        return "A mount point is written in plain letters, not in others that only look like them."
    return None


def zone(path: str) -> Zone:
    """The zone of a path, which holds for what is below it too; one that is badly spelt is the system's."""
    if path_fault(path) is not None or path in _ROOTS_THEMSELVES:
        return Zone.SYSTEM
    first = path.split("/")[1]
    if f"/{first}" in OPEN_ROOTS:
        return Zone.OPEN
    # Case is kept apart on Linux; nobody means a first part that only looks like one of the system's.
    foreign = not first or not first.isascii() or first.lower() in _SYSTEM
    return Zone.SYSTEM if foreign else Zone.ELSEWHERE


def holds_system(path: str) -> bool:
    """Whether what is mounted at a path is the machine's own: /, what is below a system's folder, or /home,
    where those live who sign in to it."""
    return path in {"/", "/home"} or path.split("/")[1].lower() in _SYSTEM


def place_fault(place: str) -> str | None:
    """Why nothing is ever mounted at `place`, whoever asks; None where it may be, or where it is no path."""
    if place in UNMOUNTED:
        return None
    if (fault := path_fault(place)) is not None:
        return fault
    if zone(place) is Zone.SYSTEM:
        return f"{place} belongs to the system. Choose a folder below /mnt, such as /mnt/tank."
    return None

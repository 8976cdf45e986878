"""The file that tells ZFS's module, whenever it is loaded, how large its cache may be (modprobe.d(5)).

The bounds are those of OpenZFS 2.3 (zfs(4), module/zfs/arc.c): it takes no maximum below 64 MiB, at or below
the minimum, or of all memory and more, and no minimum below 32 MiB or above the maximum; what it does not
take it ignores without an error.
"""

from __future__ import annotations

import re

from host.inventory.memory import ArcBounds

FOLDER = "/etc/modprobe.d"
FILE = f"{FOLDER}/nasweb-zfs-arc.conf"
LEAST_MAX_BYTES, LEAST_MIN_BYTES = 64 << 20, 32 << 20
LEFT_BYTES = 1 << 30  # of the memory: what ZFS leaves to everything else by itself
_FIRST = "# How much memory ZFS may cache in. Written by Nasweb.\n"
_LINES = re.compile(
    rf"{re.escape(_FIRST)}(?:options zfs zfs_arc_max=([1-9][0-9]{{7,14}})\n)?"
    r"(?:options zfs zfs_arc_min=([1-9][0-9]{7,14})\n)?"
)


def default_max(memory_bytes: int) -> int:
    """What ZFS takes at most by itself: arc_default_max() of module/os/linux/zfs/arc_os.c."""
    return max(memory_bytes * 5 // 8, memory_bytes - LEFT_BYTES if memory_bytes >= LEFT_BYTES else 0)


def default_min(memory_bytes: int) -> int:
    """What it keeps at least by itself: arc_set_limits() of module/zfs/arc.c."""
    return max(memory_bytes // 32, LEAST_MIN_BYTES)


def bounds_fault(bounds: ArcBounds) -> str | None:
    """Why ZFS would not take these, whatever the memory; None where it does."""
    if bounds.max_bytes and bounds.max_bytes < LEAST_MAX_BYTES:
        return "ZFS takes no maximum below 64 MiB."
    if bounds.min_bytes and bounds.min_bytes < LEAST_MIN_BYTES:
        return "ZFS takes no minimum below 32 MiB."
    if bounds.max_bytes and bounds.min_bytes >= bounds.max_bytes:
        return "The minimum has to be less than the maximum."
    return None


def render(bounds: ArcBounds) -> str:
    """The whole file."""
    lines = [("zfs_arc_max", bounds.max_bytes), ("zfs_arc_min", bounds.min_bytes)]
    return _FIRST + "".join(f"options zfs {name}={value}\n" for name, value in lines if value)


def read(text: str | None) -> ArcBounds | None:
    """What the file says; None where it is missing, or was not written here."""
    found = _LINES.fullmatch(text or "")
    if found is None:
        return None
    most, least = found.groups()
    bounds = ArcBounds(max_bytes=int(most or 0), min_bytes=int(least or 0))
    return bounds if bounds != ArcBounds() and bounds_fault(bounds) is None else None

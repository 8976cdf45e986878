"""How long a full disk takes to be rebuilt: an estimate whose assumptions are said."""

from __future__ import annotations

from collections.abc import Sequence

from host.inventory.disks import Medium
from host.layouts import Layout, draid, kind, parity

# About 70 % of the mean speed of a modern hard disk, which a quiet pool reaches: since OpenZFS 0.8 a resilver
# reads in the order of the disk. SATA SSDs write 400 MB/s for hours once their cache is full.
_BYTES_PER_S: dict[Medium, int] = {"ssd": 400_000_000, "flash": 20_000_000}
_HARD_DISK_BYTES_PER_S = 100_000_000
# RAIDZ cuts records of 128 KiB into a piece for each data disk; below 16 KiB hard disks mostly seek.
_WIDEST_AT_FULL_SPEED = 8
ASSUMES = (
    "One full disk of a quiet pool with records of 128 KiB: hard disks at 100 MB/s (in RAIDZ of more than "
    "8 data disks slower in proportion), SSDs at 400 MB/s. A pool that is half full takes half of it, a busy "
    "one longer."
)


def about(seconds: float) -> str:
    """`about 8 hours`: an estimate, in one unit."""
    if seconds >= 3 * 86_400:
        return f"about {seconds / 86_400:.0f} days"
    if seconds >= 7200:
        return f"about {seconds / 3600:.0f} hours"
    if seconds >= 3600:
        return "an hour or two"
    return f"about {round(seconds / 600) * 10} minutes" if seconds >= 900 else "minutes"


def rebuild_seconds(layout: Layout, sizes: Sequence[int], medium: Medium) -> int:
    """Until a vdev of disks of these bytes has all of its redundancy again after one failed.

    A dRAID with distributed spares rebuilds onto all of its disks at once: each reads and writes its share of
    (data + 1) disks, so the more children, the sooner (man zpoolconcepts, "dRAID"). A stripe has
    nothing to rebuild from: 0.
    """
    if layout == "stripe":
        return 0
    seconds = min(sizes) / _BYTES_PER_S.get(medium, _HARD_DISK_BYTES_PER_S)
    match kind(layout):
        case "draid":
            geometry = draid(layout, len(sizes))
            if geometry.spares:
                seconds *= min(1.0, (geometry.data + 1) / (geometry.children - 1))
        case "raidz" if medium != "ssd":
            seconds *= max(1.0, (len(sizes) - parity(layout)) / _WIDEST_AT_FULL_SPEED)
        case _:
            pass
    return round(seconds)

"""What a layout means, in sentences for its owner (man zpoolconcepts, zpool-attach, zpool-remove)."""

from __future__ import annotations

import msgspec

from host.layouts import Kind, draid
from pools.advice.arrangements import Arrangement

Speed = tuple[int, int, int]  # of so many disks: random reads, random writes, long reads and writes

_DEGRADED: dict[Kind, str] = {
    "mirror": "Full write speed; reads come from the remaining disks.",
    "raidz": "Slower: whatever lay on the missing disk is computed from all others of its vdev at each read, "
    "and the rebuild keeps them all busy.",
    "draid": "A little slower, evenly on all disks, and not for long where there is a distributed spare.",
    "stripe": "There is no degraded state: the first failure loses the pool.",
}


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """`name` is short enough for a heading; the others are sentences."""

    name: str
    degraded: str
    growth: str
    speed: str


def words(arrangement: Arrangement, disks: int) -> Words:
    """What is to be said of so many disks in that arrangement."""
    return Words(
        name=name(arrangement, disks),
        degraded=_DEGRADED[arrangement.kind],
        growth=_growth(arrangement, disks),
        speed=_speed_words(speed(arrangement, disks)),
    )


def name(arrangement: Arrangement, disks: int) -> str:
    """`2 × raidz2 of 6, 1 spare`."""
    spares = arrangement.spares
    standing_by = f", {spares} spare{'s' if spares > 1 else ''}" if spares else ""
    if arrangement.kind == "stripe":
        return f"stripe of {disks}" if disks > 1 else "single disk"
    if arrangement.kind == "draid":
        return arrangement.layout
    one = f"{arrangement.layout} of {arrangement.width(disks)}"
    return (f"{arrangement.vdevs} × {one}" if arrangement.vdevs > 1 else one) + standing_by


def speed(arrangement: Arrangement, disks: int) -> Speed:
    """Like how many single disks: each RAIDZ or dRAID group seeks as one disk, and streams as its data disks;
    a mirror writes as one and reads as all of its members."""
    width, vdevs = arrangement.width(disks), arrangement.vdevs
    match arrangement.kind:
        case "stripe":
            return disks, disks, disks
        case "mirror":
            return width * vdevs, vdevs, vdevs
        case "raidz":
            return vdevs, vdevs, vdevs * (width - int(arrangement.layout[-1]))
        case "draid":
            geometry = draid(arrangement.layout, disks)
            groups = geometry.disks / geometry.width
            return max(1, int(groups)), max(1, int(groups)), int(groups * geometry.data)


def _speed_words(speed: Speed) -> str:
    reads, writes, stream = speed
    small = (
        f"like {_disks(reads)}"
        if reads == writes
        else f"reads like {_disks(reads)}, writes like {_disks(writes)}"
    )
    return f"Small scattered requests: {small}. Long files: like {_disks(stream)}."


def _disks(count: int) -> str:
    return "1 disk" if count == 1 else f"{count} disks"


def _growth(arrangement: Arrangement, disks: int) -> str:
    width = arrangement.width(disks)
    match arrangement.kind:
        case "stripe":
            return "Add any disk, or make it a mirror by attaching a second one."
        case "mirror":
            return (
                f"Add {width} disks at a time as another mirror, or replace the {width} of one mirror by "
                "larger ones. A mirror can be removed again."
            )
        case "raidz":
            return (
                f"Attach single disks to a vdev, add a vdev of {width} like these, or replace all {width} of "
                "a vdev by larger ones. It can never be removed."
            )
        case "draid":
            return (
                "Add another dRAID of the same kind, or replace all disks by larger ones; never disk by disk."
            )

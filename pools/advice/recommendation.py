"""Which of the possible layouts suits a use best, and why, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from host.layouts import Kind, draid
from pools.advice.arrangements import Arrangement
from pools.advice.capacity import CapacityAnswer
from pools.advice.rebuild import about

Use = Literal["media", "backup", "vms", "mixed", "scratch"]
Candidate = tuple[Arrangement, CapacityAnswer]

_MANY = 5  # from as many disks on, two should be able to fail: one more while the first is being rebuilt
_MANY_FOR_FILES = 4
_DRAID_PAYS = 32  # disks from which on the time of a rebuild outweighs what dRAID loses on small files
_ORDER: dict[Use, tuple[Kind, ...]] = {
    "vms": ("mirror", "raidz", "draid", "stripe"),
    "mixed": ("raidz", "mirror", "draid", "stripe"),
    "media": ("raidz", "mirror", "draid", "stripe"),
    "backup": ("raidz", "mirror", "draid", "stripe"),
    "scratch": ("stripe", "mirror", "raidz", "draid"),
}
_BEST_WIDTH: dict[Use, int] = {"vms": 6, "mixed": 6, "media": 8, "backup": 8, "scratch": 8}


def ranked(candidates: Sequence[Candidate], use: Use, disks: int) -> tuple[Candidate, ...]:
    """The best for that use first: safe enough above all, then of the right kind and width, then large."""
    return tuple(sorted(candidates, key=lambda candidate: _rank(candidate, candidates, use, disks)))


def needed(use: Use, disks: int) -> int:
    """How many failures the pool must survive for sure."""
    if use == "scratch" or disks < 2:
        return 0
    many = _MANY_FOR_FILES if use in {"media", "backup"} else _MANY
    return 1 if use == "vms" or disks < many else 2


def _rank(candidate: Candidate, all_of_them: Sequence[Candidate], use: Use, disks: int) -> tuple[float, ...]:
    arrangement, answer = candidate
    wanted = needed(use, disks)
    # Pairs rebuild so soon that one failure is enough for them; three copies of all cost more than they give.
    lacking = max(0, (min(1, wanted) if arrangement.kind == "mirror" else wanted) - answer.survives)
    return (
        lacking if arrangement.kind != "stripe" or use == "scratch" else 9,
        _kind_rank(arrangement, all_of_them, use, disks),
        # More parity than needed costs space and speed.
        max(0, answer.survives - max(1, wanted)) if arrangement.kind != "mirror" else 0,
        _off_width(arrangement, use, disks),
        arrangement.spares,
        -answer.usable_bytes,
    )


def _kind_rank(arrangement: Arrangement, all_of_them: Sequence[Candidate], use: Use, disks: int) -> int:
    order = _ORDER[use]
    if use == "mixed" and disks < _MANY and disks % 2 == 0:  # half the space either way
        order = ("mirror", "raidz", "draid", "stripe")
    if use in {"media", "backup"} and disks >= _DRAID_PAYS:
        order = ("draid", *(kind for kind in order if kind != "draid"))
    if _mirrors_hold_more(all_of_them, needed(use, disks)):
        order = ("mirror", *(kind for kind in order if kind != "mirror"))
    return order.index(arrangement.kind)


def _mirrors_hold_more(candidates: Sequence[Candidate], failures: int) -> bool:
    """So it is where sizes differ: RAIDZ uses of each disk only as much as the smallest has."""
    safe = [
        (one.kind, answer.usable_bytes) for one, answer in candidates if answer.survives >= min(failures, 1)
    ]
    mirrors = [usable for kind, usable in safe if kind == "mirror"]
    others = [usable for kind, usable in safe if kind == "raidz"]
    return bool(mirrors and others) and max(mirrors) > max(others)


def _off_width(arrangement: Arrangement, use: Use, disks: int) -> float:
    width = arrangement.width(disks)
    match arrangement.kind:
        case "mirror":
            # A third disk in a single mirror helps at once; a spare beside it would have to copy first.
            alone = arrangement.vdevs == 1
            return abs(width - (3 if alone else 2)) + (2 if alone and arrangement.spares else 0)
        case "draid":
            geometry = draid(arrangement.layout, disks)
            return abs(geometry.data - 8) + abs(geometry.spares - max(1, disks // 24))
        case _:
            return abs(width - _BEST_WIDTH[use])


_MIRRORS = "Mirrors stay fast when a disk fails, and grow in small steps; RAIDZ would hold little more here."
_MIRRORS_FOR: dict[Use, str] = {
    "vms": "Virtual machines do small random writes; each mirror adds the speed of a disk.",
    "scratch": "No other layout makes sense for these disks.",
}


def reasons(chosen: Candidate, use: Use, disks: int) -> tuple[str, ...]:
    """Why it was chosen, the weightiest first."""
    arrangement, answer = chosen
    found = [_for_use(arrangement, use, disks), _for_safety(arrangement, answer, disks)]
    if arrangement.vdevs > 1 and arrangement.kind == "raidz":
        found.append(
            f"{arrangement.vdevs} vdevs of {arrangement.width(disks)} seek {arrangement.vdevs} times as fast "
            "as a single wide one, and rebuild sooner."
        )
    if arrangement.spares:
        found.append("A spare takes over automatically, even at night.")
    return tuple(reason for reason in found if reason)


def _for_use(arrangement: Arrangement, use: Use, disks: int) -> str:
    if disks == 1:
        return "A single disk allows no other layout. Keep a backup elsewhere."
    if arrangement.kind == "mirror":
        return _MIRRORS_FOR.get(use, _MIRRORS)
    if arrangement.kind == "stripe":
        return "Maximum space and speed, for data you can afford to lose."
    return {
        "media": "Films and music are read sequentially, which suits this layout, and capacity matters most.",
        "backup": "Backups are written once, sequentially, and must survive everything; capacity matters.",
        "mixed": "A good compromise for files of all sizes: most of the capacity, and fast enough.",
        "vms": "Mirrors would be faster for virtual machines, but these disks cannot form them.",
    }.get(use, "")


def _for_safety(arrangement: Arrangement, answer: CapacityAnswer, disks: int) -> str:
    if not answer.survives:
        return ""
    took = about(answer.rebuild_seconds)
    if answer.survives == 1:
        chance = int(answer.chance_of_surviving_next)  # never rounded up
        also = f"; a second failure at the same time is survived {chance} % of the time" if chance else ""
        return f"Any one disk may fail{also}. A rebuild takes {took}."
    return f"Any {answer.survives} disks may fail: while one is rebuilt, for {took}, data is still protected."

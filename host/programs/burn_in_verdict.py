"""What a burn-in holds against a disk. Every threshold is here."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import NamedTuple

from host.inventory import SmartReading, Throughput
from host.programs import words
from host.programs.passes import Differences

_NEIGHBOURS = 10  # points on each side that a point of the curve is compared with
_SLOWER = 4  # times slower than they are
_SHORTEST_S = 1.0  # a stretch that took less says nothing: another program may have had its turn


class Judgement(NamedTuple):
    """Sentences: `faults` are the disk's, and it fails; `remarks` are worth knowing."""

    faults: tuple[str, ...]
    remarks: tuple[str, ...]


_COUNTED = (
    ("reallocated_sectors", "replaced sectors by spare ones"),
    ("pending_sectors", "has sectors that it cannot read"),
    ("uncorrectable_sectors", "met errors that it could not correct"),
)


def counters(before: SmartReading | None, after: SmartReading | None) -> Judgement:
    """What the disk counted meanwhile. Counters that either reading lacks are left out."""
    if before is None or after is None:
        return Judgement((), ("What the disk says of itself could not be compared.",))
    faults = []
    for field, did in _COUNTED:
        was, now = getattr(before, field), getattr(after, field)
        if was is not None and now is not None and now > was:
            faults.append(f"The disk {did}: {was} before, {now} after.")
    # What it had before counts too: a sector that cannot be read was written anew, and should be well now.
    if after.pending_sectors and not (before.pending_sectors or 0) < after.pending_sectors:
        faults.append(f"The disk still has {after.pending_sectors} sectors that it cannot read.")
    if after.passed is False:
        faults.append("The disk reports that it is failing.")
    remarks = []
    if (
        before.crc_errors is not None
        and after.crc_errors is not None
        and after.crc_errors > before.crc_errors
    ):
        new = after.crc_errors - before.crc_errors
        remarks.append(
            f"{new} transfers arrived damaged and were repeated: check the cable or the backplane."
        )
    return Judgement(tuple(faults), tuple(remarks))


def differences(found: Differences) -> Judgement:
    """What read back otherwise than written."""
    if not found.blocks:
        return Judgement((), ())
    return Judgement((words.differing(found.blocks, found.first, found.misplaced),), ())


def slowness(writing: tuple[Throughput, ...], reading: tuple[Throughput, ...]) -> Judgement:
    """Stretches far slower than those around them. In one pass something else may have been at work; in
    both it is the disk."""
    slow = [_slow(writing), _slow(reading)]
    both = sorted(slow[0] & slow[1])
    once = sorted(slow[0] ^ slow[1])
    faults = (f"It is far slower than around there at {words.places(both)}.",) if both else ()
    remarks = (f"One of the two passes was slow at {words.places(once)}.",) if once else ()
    return Judgement(faults, remarks)


def _slow(curve: tuple[Throughput, ...]) -> set[int]:
    found = set()
    for index, (point, following) in enumerate(pairwise(curve)):
        around = [*curve[max(0, index - _NEIGHBOURS) : index], *curve[index + 1 : index + 1 + _NEIGHBOURS]]
        usual = median(other.bytes_per_second for other in around)
        length = following.offset_bytes - point.offset_bytes
        lasted = length / max(1, point.bytes_per_second)
        if len(around) >= _NEIGHBOURS and point.bytes_per_second * _SLOWER < usual and lasted >= _SHORTEST_S:
            found.add(point.offset_bytes)
    return found

"""What a pool's layout allows, from how fast each of its disks was read alone. Pure.

An upper bound for large files: ZFS spreads them over all vdevs. A mirror reads from all sides and writes to
each; of RAIDZ and dRAID the disks but for parity count, each as fast as the slowest of its vdev. Disks are
taken to write as fast as they read, which those with shingled tracks and cheap SSDs do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import mean, median

import msgspec

from host.benchmark.values import DiskRead, PartResult
from host.inventory import Pool, Vdev, leaves
from host.inventory.redundancy import layout_of
from host.layouts import ImpossibleLayout, draid, kind, parity

BUSY = 0.85  # of the time: who is as busy as that can hardly do more
_IDLE = 0.60
_FAR_SLOWER = 0.70  # of the others' median


class Expectation(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes per second of large files, at most."""

    read_bytes_per_s: float
    write_bytes_per_s: float


def expected(pool: Pool, disks: tuple[DiskRead, ...]) -> Expectation | None:
    """None where the disks of a vdev were not all read."""
    rates = {one.disk: mean(one.bytes_per_s) for one in disks if one.bytes_per_s}
    found = [_of_vdev(vdev, rates) for vdev in pool.vdevs if vdev.role == "data" and not vdev.removing]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    return Expectation(
        read_bytes_per_s=sum(read for read, _ in known), write_bytes_per_s=sum(write for _, write in known)
    )


def _of_vdev(vdev: Vdev, rates: Mapping[str, float]) -> tuple[float, float] | None:
    members = [leaf for leaf in leaves(vdev) if leaf.path is not None]
    if not members or not all(leaf.path in rates for leaf in members):
        return None
    own = [rates[leaf.path or ""] for leaf in members]
    layout, slowest = layout_of(vdev), min(own)
    match kind(layout):
        case "stripe":
            return own[0], own[0]
        case "mirror":
            return sum(own), slowest
        case "raidz":
            whole = (len(own) - parity(layout)) * slowest
        case "draid":
            try:
                shape = draid(layout, len(own))
            except ImpossibleLayout:
                return None
            whole = shape.disks * shape.data / shape.width * slowest
    return whole, whole


def slow_disks(disks: tuple[DiskRead, ...]) -> tuple[str, ...]:
    """Those that are far slower alone than the others are."""
    rates = {one.disk: mean(one.bytes_per_s) for one in disks if one.bytes_per_s}
    if len(rates) < 3:
        return ()
    usual = median(rates.values())
    return tuple(link for link, rate in rates.items() if rate < _FAR_SLOWER * usual)


def bottleneck(
    result: PartResult, disks: tuple[DiskRead, ...], named: Callable[[str], str], *, has_log: bool
) -> str:
    """What held this part up, in a sentence; `named` says what the disk behind a link is called. `has_log`:
    the pool had a log device then."""
    busy = {one.disk: one.share for one in result.busy}
    most = max(busy, key=lambda link: busy[link], default=None)
    if most is not None and busy[most] >= BUSY:
        usual = median(busy.values())
        if len(busy) > 2 and usual < _IDLE:
            times = f"was busy for {busy[most]:.0%} of the time, the others for {usual:.0%}."
            return f"One disk alone: {named(most)} {times}"
        if slow := slow_disks(disks):
            return f"The disks. Far slower than the others: {', '.join(map(named, slow))}."
        return f"The disks: they were busy for {usual:.0%} of the time."
    if result.processor_share >= BUSY:
        return f"The processors: they were busy for {result.processor_share:.0%} of the time."
    if result.part == "one-writer":
        if has_log:
            return "How long the log device takes for one write."
        return "How long the disks take for one write: a log device would shorten that."
    if not busy:
        return "Not the processors. How busy the disks were was not measured, as they were not read alone."
    return "Neither disks nor processors: one request waits for another."

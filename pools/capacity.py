"""What layouts of some disks offer: space, failures survived, and the time to rebuild."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Annotated

import msgspec
from msgspec import Meta

from host import capacity as exact
from host.commands.zpool import Layout
from host.inventory import Disk, Inventory
from jobs.findings import Findings
from pools.create_pool import NewVdev
from pools.disk_choice import choose
from pools.layouts import FEWEST_DISKS, PARITY, survives
from pools.preparation import MIB, partition_mib
from pools.redundancy import check_redundancy

# A resilver reads in an order that disks like since OpenZFS 0.8; 70 % of a modern hard disk's mean speed
# is what a quiet pool that is full reaches.
_REBUILD_BYTES_PER_S = 100_000_000


class AskCapacity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The vdevs of a pool that is only thought of. No disk has to be free for that."""

    vdevs: Annotated[tuple[NewVdev, ...], Meta(min_length=1, max_length=255)]
    ashift: Annotated[int, Meta(ge=9, le=16)] = 12


class CapacityAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`survives` failures in any combination; the chance of surviving one more is in percent (0–100)."""

    usable_bytes: int
    raw_bytes: int
    efficiency: float  # usable of raw, in percent
    survives: int
    chance_of_surviving_next: float
    rebuild_seconds: int  # for the largest disk of a full pool


class LayoutChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One way to lay out the picked disks; `why_not` says what keeps it from being possible."""

    layout: str  # for people and forms: mirrors, raidz1…
    answer: CapacityAnswer | None
    why_not: str = ""

    @property
    def possible(self) -> bool:
        """True where the picked disks can be laid out so."""
        return self.answer is not None


Group = tuple[Layout, tuple[int, ...]]  # a data vdev: its layout and the bytes of its disks


def ask(request: AskCapacity, inventory: Inventory) -> CapacityAnswer:
    """Raises `Refused` for unknown or repeated disks and for impossible layouts."""
    findings = Findings()
    chosen = choose([vdev.disks for vdev in request.vdevs], inventory, findings, in_use_matters=False)
    members = [(v.role, v.layout, disks) for v, disks in zip(request.vdevs, chosen, strict=True)]
    check_redundancy(members, findings)
    findings.refuse_on_error()
    groups = [(layout, _sizes(disks)) for role, layout, disks in members if role == "data"]
    return answer(groups, ashift=request.ashift)


def answer(groups: Sequence[Group], *, ashift: int = 12) -> CapacityAnswer:
    """What a pool of these data vdevs offers; sizes are whole disks in bytes."""
    vdevs = [vdev for layout, sizes in groups for vdev in exact.shapes(layout, _partitions(sizes))]
    usable = exact.usable_bytes(vdevs, ashift=ashift)
    raw = sum(sum(sizes) for _, sizes in groups)
    widths = [width for layout, sizes in groups for width in _failure_groups(layout, len(sizes))]
    surely = min(tolerance for _, tolerance in widths)
    return CapacityAnswer(
        usable_bytes=usable,
        raw_bytes=raw,
        efficiency=round(100 * usable / raw, 1),
        survives=surely,
        chance_of_surviving_next=round(100 * _chance(widths, surely + 1), 1),
        rebuild_seconds=round(max(max(sizes) for _, sizes in groups) / _REBUILD_BYTES_PER_S),
    )


def layouts(sizes: Sequence[int], *, ashift: int = 12) -> tuple[LayoutChoice, ...]:
    """Each simple layout of all the picked disks, whose sizes are `sizes` in bytes."""
    count, ordered = len(sizes), tuple(sorted(sizes))
    found: list[LayoutChoice] = []
    for layout in ("raidz1", "raidz2", "raidz3"):
        fewest = max(FEWEST_DISKS[layout], PARITY[layout] + 2)
        why = "" if count >= fewest else f"needs {fewest} disks"
        found.append(_choice(layout, [(layout, ordered)], why, ashift))
    pairs: list[Group] = [("mirror", ordered[i : i + 2]) for i in range(0, count - 1, 2)]
    why = "needs an even number of disks" if count % 2 or not count else ""
    found.insert(0, _choice("mirrors", pairs, why, ashift))
    found.append(_choice("stripe", [("stripe", ordered)], "" if count else "needs a disk", ashift))
    return tuple(found)


def _choice(name: str, groups: list[Group], why_not: str, ashift: int) -> LayoutChoice:
    if why_not:
        return LayoutChoice(layout=name, answer=None, why_not=why_not)
    return LayoutChoice(layout=name, answer=answer(groups, ashift=ashift))


def _sizes(disks: Sequence[Disk]) -> tuple[int, ...]:
    return tuple(disk.size_bytes for disk in disks)


def _partitions(sizes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(partition_mib(size) * MIB for size in sizes)


def _failure_groups(layout: Layout, disks: int) -> list[tuple[int, int]]:
    """Pairs of a group's disks and how many of those may fail."""
    return [(1, 0)] * disks if layout == "stripe" else [(disks, survives(layout, disks))]


def _chance(groups: Sequence[tuple[int, int]], failures: int) -> float:
    """The chance that a pool lives when `failures` of its disks fail, each set of them equally likely.

    Counts the sets in which no group loses more than it tolerates: the product of polynomials
    sum(comb(width, k) x^k for k up to the tolerance), taken at x^failures.
    """
    total = sum(width for width, _ in groups)
    if failures > total:
        return 0.0
    ways = [1] + [0] * failures
    for width, tolerance in groups:
        ways = [
            sum(ways[total_ - k] * comb(width, k) for k in range(min(tolerance, total_) + 1))
            for total_ in range(failures + 1)
        ]
    return ways[failures] / comb(total, failures)

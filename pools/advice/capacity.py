"""What a pool that is only thought of offers: space, failures survived, and the time to rebuild."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from host import capacity as exact
from host.commands.pools.zpool import Role
from host.inventory import Disk, Inventory
from host.inventory.disks import Medium
from host.layouts import Layout
from jobs.plan import Finding
from jobs.planning.findings import Findings
from pools.advice.rebuild import ASSUMES, rebuild_seconds
from pools.advice.survival import chance, surely, tolerances
from pools.create_pool import NewVdev
from pools.disk_choice import choose
from pools.preparation import MIB, partition_mib
from pools.redundancy import check_redundancy
from pools.sectors import check_ashift
from pools.suitability import check_suitability

_FAILURES_SHOWN = 3  # failures whose chance of being survived is told
_SMALL_BLOCK = 16 << 10  # what volumes are written in unless told otherwise
_VITAL: tuple[Role, ...] = ("data", "special", "dedup")


class AskCapacity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The vdevs of a pool that is only thought of. No disk has to be free for that."""

    vdevs: Annotated[tuple[NewVdev, ...], Meta(min_length=1, max_length=255)]
    ashift: Annotated[int, Meta(ge=9, le=16)] | None = None  # 12, or what the disks need, when left out


class CapacityAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`usable_bytes` is what a fresh pool says it has. `survives` failures in any combination. Chances are in
    percent (0–100), of failures at once: before any rebuild has ended."""

    usable_bytes: int
    raw_bytes: int  # of the disks of data vdevs
    efficiency: float  # usable of raw, in percent
    small_block_efficiency: float  # the same for volumes, which are written in blocks of 16 KiB
    survives: int
    chance_of_surviving_next: float  # one failure more than is survived for sure
    chances_of_surviving: tuple[float, float, float]  # one failure, two, three
    rebuild_seconds: int  # the longest of any vdev; 0 where nothing can be rebuilt
    rebuild_assumes: str
    findings: tuple[Finding, ...] = ()  # what to think over


class Group(NamedTuple):
    """A vdev: its layout, the bytes of its disks, and what they are."""

    layout: Layout
    sizes: tuple[int, ...]
    medium: Medium = "hdd"


def ask(request: AskCapacity, inventory: Inventory) -> CapacityAnswer:
    """Raises `Refused` for unknown or repeated disks and for impossible layouts."""
    findings = Findings()
    chosen = choose([vdev.disks for vdev in request.vdevs], inventory, findings, in_use_matters=False)
    members = [(v.role, v.layout, disks) for v, disks in zip(request.vdevs, chosen, strict=True)]
    check_redundancy(members, findings)
    ashift = check_ashift(request.ashift, [disk for disks in chosen for disk in disks], findings)
    findings.refuse_on_error()
    check_suitability(members, inventory, findings, ashift=ashift)
    data = [group_of(layout, disks) for role, layout, disks in members if role == "data"]
    beside = [group_of(layout, disks) for role, layout, disks in members if role in _VITAL[1:]]
    found = answer(data, ashift=ashift, beside=beside)
    return msgspec.structs.replace(found, findings=findings.all())


def group_of(layout: Layout, disks: Sequence[Disk]) -> Group:
    """The vdev that `disks` make; as slow as its slowest kind of disk."""
    media = {disk.medium for disk in disks}
    medium: Medium = media.pop() if len(media) == 1 else "hdd"
    return Group(layout, tuple(disk.size_bytes for disk in disks), medium)


def answer(data: Sequence[Group], *, ashift: int = 12, beside: Sequence[Group] = ()) -> CapacityAnswer:
    """What a pool of these data vdevs offers; sizes are whole disks in bytes. `beside` are its special and
    dedup vdevs, which add no space but can lose the pool."""
    vdevs = [shape for group in data for shape in exact.shapes(group.layout, _partitions(group.sizes))]
    usable = exact.usable_bytes(vdevs, ashift=ashift)
    raw = sum(sum(group.sizes) for group in data)
    widths = [one for group in (*data, *beside) for one in tolerances(group.layout, len(group.sizes))]
    one, two, three = (round(100 * chance(widths, failures), 1) for failures in range(1, _FAILURES_SHOWN + 1))
    return CapacityAnswer(
        usable_bytes=usable,
        raw_bytes=raw,
        efficiency=round(100 * usable / raw, 1),
        small_block_efficiency=round(_small_blocks(data, vdevs, ashift), 1),
        survives=surely(widths),
        chance_of_surviving_next=round(100 * chance(widths, surely(widths) + 1), 1),
        chances_of_surviving=(one, two, three),
        rebuild_seconds=max(rebuild_seconds(*group) for group in (*data, *beside)),
        rebuild_assumes=ASSUMES,
    )


def _small_blocks(data: Sequence[Group], vdevs: Sequence[exact.Shape], ashift: int) -> float:
    """Percent of the raw space that blocks of 16 KiB can fill: RAIDZ pads each, dRAID to a whole stripe."""
    spaces = [exact.space_of(shape, ashift=ashift).raw for shape in vdevs]
    stored = sum(
        space
        * _SMALL_BLOCK
        / exact.block_bytes(_SMALL_BLOCK, shape.layout, len(shape.device_bytes), ashift=ashift)
        for space, shape in zip(spaces, vdevs, strict=True)
    )
    return 100 * stored / sum(sum(group.sizes) for group in data)


def _partitions(sizes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(partition_mib(size) * MIB for size in sizes)

"""A disk that is to become a member of an array, or that was one and comes back."""

from __future__ import annotations

from typing import NamedTuple

from host.commands.disks.md import MdAdd
from host.commands.disks.partition import UdevSettle
from host.inventory import Disk, Inventory, MdArray, Partition
from jobs.plan import Step
from jobs.planning.findings import Findings
from jobs.planning.words import roughly
from pools import preparation
from pools.advice.rebuild import rebuild_seconds
from pools.arrays.chosen import REDUNDANT, disk_said
from pools.disk_choice import choose_one
from pools.suitability import check_suitability
from pools.unwell import AcceptUnwell, check_unwell

_ROOM = 130 * preparation.MIB  # superblock and bitmap of version 1.2 at their largest


class Newcomer(NamedTuple):
    """The disk, and its partition that knows this array, where it was a member of it before."""

    disk: Disk
    before: Partition | None


def choose(
    name: str, field: str, array: MdArray, inventory: Inventory, findings: Findings
) -> Newcomer | None:
    """The disk of that name; why it cannot be had becomes findings about `field`."""
    disk = inventory.disk(name)
    before = array.left_on(disk) if disk is not None else None
    unimported = (
        disk is not None
        and before is not None
        and all(claim.idle or not claim.active for claim in disk.claims)
    )
    if not unimported:
        disk = choose_one(name, field, inventory, findings)
    if disk is None:
        return None
    need = needed_bytes(array, inventory)
    if preparation.partition_mib(disk.size_bytes, at_least=need) * preparation.MIB < need:
        message = f"{disk_said(disk)} is too small: each member of {array.name} takes {need / 1e9:.1f} GB."
        findings.error("disk-too-small", field, message)
    return Newcomer(disk, before if unimported else None)


def needed_bytes(array: MdArray, inventory: Inventory) -> int:
    """The least size of a partition that can become a member."""
    sizes = [
        part.size_bytes
        for member in array.members
        if member.disk and (disk := inventory.disk(member.disk))
        for part in disk.partitions
        if part.number == (member.partition or 0)
    ]
    return min(sizes) if sizes else component_bytes(array) + _ROOM


def component_bytes(array: MdArray) -> int:
    """What each member holds of the array."""
    wanted = max(array.wanted, 1)
    data = {"raid1": 1.0, "raid5": wanted - 1, "raid6": wanted - 2, "raid10": wanted / 2}
    return int(array.size_bytes / max(data.get(array.level, wanted), 1))


def sync_time(member_bytes: int, *disks: Disk) -> str:
    """About how long the kernel takes to read or to fill each of these members."""
    return roughly(max((rebuild_seconds("mirror", (member_bytes,), one.medium) for one in disks), default=0))


def join(array: MdArray, disks: tuple[Disk, ...], inventory: Inventory) -> tuple[Step, Step]:
    """Prepare disks and give them to the array: they take empty places, or wait as spares."""
    links = tuple(preparation.partition_link(disk) for disk in disks)
    words = ", ".join(disk_said(disk) for disk in disks)
    return (
        preparation.prepare(disks, at_least=needed_bytes(array, inventory), use="md"),
        Step(
            title=f"Add {words} to {array.name}",
            commands=(MdAdd(array=array.node, members=links), UdevSettle()),
        ),
    )


def check_disks(
    disks: tuple[Disk, ...],
    accepted: AcceptUnwell,
    inventory: Inventory,
    findings: Findings,
    *,
    spared: bool = True,
) -> None:
    """What should be thought over about these disks, as for a mirror of ZFS. Those that are not well become
    errors unless they are `accepted`.

    Only of a new array, which is not `spared`, it is worth a word that no bay is left.
    """
    check_unwell(disks, accepted, findings)
    found = Findings()
    check_suitability([("data", "mirror", disks)], inventory, found, ashift=12, spared=spared)
    for one in found.all():
        add = findings.warning if one.level == "warning" else findings.info
        add(one.code, one.field.removeprefix("vdevs[0]."), one.message)


def can_take(array: MdArray) -> bool:
    """Whether an array of this level takes further members at all."""
    return array.level in REDUNDANT

"""Swap on both halves of the boot pair: which room there is, and the commands that make and end it."""

from __future__ import annotations

from typing import NamedTuple

from host.boot_pair import Pair, link
from host.commands.closed import AnyCommand
from host.commands.datasets.mounting import ReadUnits, SyncUnits
from host.commands.disks.md import MdStop, MdZeroSuperblock
from host.commands.disks.partition import UdevSettle, UdevWait
from host.commands.system.swap import (
    ARRAY,
    DEVICE,
    AddSwapPartition,
    MakeSwap,
    MakeSwapArray,
    RemoveSwapUnit,
    StartSwap,
    StopSwap,
    WriteSwapUnit,
)
from host.inventory import Disk, Inventory, MdArray
from jobs.plan import Step
from jobs.planning.findings import Findings

MIB = 1 << 20
MOST_MIB, LEAST_MIB = 2048, 256  # of each half
_KEPT_FREE = 25  # one part in so many: another drive of the same nominal size may be smaller
_ALIGNMENT_MIB = 2
_FOR_MD = {"a19d880f-05fc-4d3b-a006-743f0f84911e", "0xfd"}


class Room(NamedTuple):
    """The partition for swap on each half: there already, or to be made of `size_mib`."""

    number: int
    size_mib: int
    there: bool


def swap_array(inventory: Inventory) -> MdArray | None:
    """The array that the console made for swap, whether it runs or not."""
    return next((array for array in inventory.arrays if array.name == ARRAY), None)


def check_room(halves: tuple[Disk, ...], findings: Findings) -> Room | None:
    """Where swap can lie on both; why not becomes a finding."""
    ours = [_ours(disk) for disk in halves]
    numbers = {number for number in ours if number is not None}
    if None not in ours and len(numbers) == 1:
        return Room(number=numbers.pop(), size_mib=0, there=True)
    last = {max((part.number for part in disk.partitions), default=0) for disk in halves}
    if len(last) != 1:
        findings.error("unlike-tables", "kind", "The halves do not have the same partitions.")
        return None
    free = {disk.id: free_mib(disk) for disk in halves}
    size = min(MOST_MIB, *free.values())
    if size < LEAST_MIB:
        report = ", ".join(f"{max(mib, 0)} MiB on {name}" for name, mib in free.items())
        message = (
            f"There is not enough room behind the system's partition: {report}; at least {LEAST_MIB} MiB "
            f"are needed on each half, and one part in {_KEPT_FREE} of it stays free for a replacement "
            "that is slightly smaller. The image leaves that room on drives of 16 GB and more."
        )
        findings.error("no-room", "kind", message)
        return None
    return Room(number=last.pop() + 1, size_mib=size, there=False)


def free_mib(disk: Disk) -> int:
    """Room behind the last partition, without what is kept free. Below 0 where there is none."""
    used = sum(part.size_bytes for part in disk.partitions if part.number)
    return (disk.size_bytes - disk.size_bytes // _KEPT_FREE - used) // MIB - _ALIGNMENT_MIB


def _ours(disk: Disk) -> int | None:
    """The number of the partition made for it: a member of the array, or one for md that is empty."""
    marks = {f"any:{ARRAY}", ARRAY}
    found = [
        part.number
        for part in disk.partitions
        if part.number and (part.label in marks or (part.fstype is None and part.parttype in _FOR_MD))
    ]
    return found[0] if len(found) == 1 else None


def make(halves: tuple[Disk, ...], room: Room) -> tuple[AnyCommand, ...]:
    """From partitions that nothing uses to swap that is used, now and at each start."""
    members = tuple(link(disk, room.number) for disk in halves)
    new = (
        ()
        if room.there
        else tuple(
            AddSwapPartition(disk=disk.link, number=room.number, size_mib=room.size_mib) for disk in halves
        )
    )
    return (
        *new,
        UdevWait(links=members),
        MakeSwapArray(members=members),
        UdevWait(links=(DEVICE,)),
        MakeSwap(),
        WriteSwapUnit(),
        ReadUnits(),
        StartSwap(),
        SyncUnits(),
    )


def end(inventory: Inventory, halves: tuple[Disk, ...], *, for_good: bool = True) -> tuple[AnyCommand, ...]:
    """Fetch back what is in it, and take the array apart. For good: its members on `halves` forget it, and
    the next start does not look for it. Their partitions stay."""
    commands: list[AnyCommand] = [StopSwap()]
    if for_good:
        commands += [RemoveSwapUnit(), ReadUnits()]
    array = swap_array(inventory)
    if array is not None:
        here = {disk.id for disk in halves}
        known = [one for one in array.members if one.disk in here and one.partition is not None]
        disks = {disk.id: disk for disk in halves}
        commands.append(MdStop(array=array.node))
        if known and for_good:
            members = tuple(link(disks[one.disk or ""], one.partition) for one in known)
            commands.append(MdZeroSuperblock(members=members))
        commands.append(UdevSettle())
    return tuple(commands)


def taken_up(disk: Disk, inventory: Inventory) -> MdArray | None:
    """The array for swap, where `disk` is in it: one that was away for a start brings it up when it is back,
    by itself and though the system's own array does not take the disk again."""
    array = swap_array(inventory) if inventory.swap.raid0_set else None
    return array if array and any(member.disk == disk.id for member in array.members) else None


def renew(stays: Disk, comes: Disk, pair: Pair, inventory: Inventory) -> tuple[Step, ...]:
    """Where swap lies on both halves: the step that makes it anew once another disk is one of them.

    The new half has the partitions of the one that stays.
    """
    if not inventory.swap.raid0_set:
        return ()
    number = _ours(stays)
    if number is None:
        return ()
    old = tuple(half.disk for half in pair.halves)
    room = Room(number=number, size_mib=0, there=True)
    # Otherwise it has ended before anything was written to the one that comes.
    ends = () if taken_up(comes, inventory) else end(inventory, old, for_good=False)
    commands = (*ends, *make((stays, comes), room))
    return (Step(title="Create the swap on both halves again", commands=commands),)

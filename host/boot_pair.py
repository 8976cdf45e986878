"""Which disks carry the system, and how they stand."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.inventory import ArrayMember, Disk, Inventory, MdArray

HalfState = Literal["whole", "rebuilding", "faulty"]
_WITHOUT_COPIES = {"raid0", "linear"}


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that carries the system's arrays. `state` is the worst of its members'."""

    disk: Disk
    members: tuple[tuple[MdArray, ArrayMember], ...]
    state: HalfState


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """The system's own array, all arrays on the same disks, and these disks."""

    root: MdArray
    arrays: tuple[MdArray, ...]
    halves: tuple[Half, ...]

    @property
    def whole(self) -> tuple[Half, ...]:
        """The halves that hold everything."""
        return tuple(half for half in self.halves if half.state == "whole")

    @property
    def complete(self) -> bool:
        """Either half may fail and the machine goes on."""
        return len(self.whole) >= 2

    @property
    def mirrored(self) -> tuple[MdArray, ...]:
        """The arrays of which each half holds a copy."""
        return tuple(array for array in self.arrays if keeps_copies(array))

    def half(self, name: str) -> Half | None:
        """The half of which `name` is a by-id name."""
        return next((half for half in self.halves if name in half.disk.links), None)


def keeps_copies(array: MdArray) -> bool:
    """Whether it outlives a half. One without copies whose half is gone does not even run."""
    return array.level not in _WITHOUT_COPIES and array.state != "inactive"


def boot_pair(inventory: Inventory) -> Pair | None:
    """The pair that the system runs from; None where it runs from something else."""
    root = next((array for array in inventory.arrays if array.carries_system), None)
    if root is None or root.level != "raid1":
        return None
    ids = {member.disk for member in root.members if member.disk}
    arrays = tuple(
        array for array in inventory.arrays if ids & {member.disk for member in array.members if member.disk}
    )
    halves = tuple(_half(disk, arrays) for disk in inventory.disks if disk.id in ids)
    return Pair(root=root, arrays=arrays, halves=halves)


def _half(disk: Disk, arrays: tuple[MdArray, ...]) -> Half:
    members = tuple((array, member) for array in arrays for member in array.members if member.disk == disk.id)
    states = {member.state for array, member in members if keeps_copies(array)}
    state: HalfState = "whole"
    if "faulty" in states:
        state = "faulty"
    elif states - {"in sync"}:
        state = "rebuilding"
    return Half(disk=disk, members=members, state=state)


def link(disk: Disk, partition: int | None) -> str:
    """The stable link of a member."""
    return disk.link if partition is None else f"{disk.link}-part{partition}"


def in_words(disk: Disk) -> str:
    """A disk as a person finds it."""
    where = f"bay {disk.bay}, " if disk.bay else ""
    return f"{disk.model or disk.id} ({where}serial {disk.serial or 'unknown'})"

"""What the system runs from where that is no md array: one disk, and what of it is mounted."""

from __future__ import annotations

import msgspec

from host.boot_pair import in_words
from host.commands.system.converting import ARRAY, ROOT_START_MIB
from host.inventory import Conversion, Disk, Inventory, MdArray, Partition
from jobs.planning.findings import Findings

MIB = 1 << 20
FILE_SYSTEMS = {"ext2", "ext3", "ext4", "xfs"}  # what GRUB can write to, for a start that is tried once
_NOT_COPIED = {"vfat", "swap"}
_SIXTEEN_GB = 15_000_000_000  # what is sold as that has at least so many bytes
_OURS = {"boot", "mounted", "swap", "filesystem", "partition-table"}
_LEAST_SPARE = 512 * MIB


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """The disk that the system is on. `copied` are its mounted file systems, the root among them."""

    disk: Disk
    root: Partition
    copied: tuple[Partition, ...]

    @property
    def used_bytes(self) -> int | None:
        """By all files that are to be copied; None where that is not known of each."""
        sizes = [part.used_bytes for part in self.copied]
        return None if None in sizes else sum(size or 0 for size in sizes)


def running(inventory: Inventory) -> Running | None:
    """None where the root is on an array, on LVM, encrypted, or on what is no disk."""
    for disk in inventory.disks:
        for part in disk.partitions:
            if "/" in part.mountpoints:
                copied = tuple(one for one in disk.partitions if _is_copied(one))
                return Running(disk=disk, root=part, copied=copied)
    return None


def _is_copied(part: Partition) -> bool:
    return bool(part.mountpoints) and part.fstype not in _NOT_COPIED


def asked_running(inventory: Inventory, findings: Findings) -> Running:
    """The one disk that the system runs from. Raises `Refused` where it cannot be left by a copy."""
    array = next((array for array in inventory.arrays if array.carries_system), None)
    if array is not None:
        findings.refuse("already-md", "", f"The system is on the md array {array.name} already.")
    found = running(inventory)
    if found is None:
        message = (
            "The system's root is not directly on a partition of one disk: it is on LVM, encrypted, or "
            "elsewhere. Only a root directly on a partition can be moved."
        )
        findings.refuse("unknown-root", "", message)
    _check(found, findings)
    return found


def _check(found: Running, findings: Findings) -> None:
    words = in_words(found.disk)
    if not found.root.number:
        findings.error("no-partition", "", f"The root takes the whole of {words}: there is no boot loader.")
    for part in found.copied:
        if part.fstype not in FILE_SYSTEMS:
            message = f"{part.mountpoints[0]} is {part.fstype or 'unknown'}: ext4 and XFS can be moved."
            findings.error("file-system", "", message)
    for claim in found.disk.claims:
        if claim.active and claim.kind not in _OURS:
            message = f"{words} also holds: {claim.words}. Move that elsewhere first."
            findings.error("disk-shared", "", message)
    if found.used_bytes is None:
        findings.error("size-unknown", "", "It is not known how much space the system takes.")


def root_mib(one: Disk, other: Disk) -> int:
    """How many MiB the members get, so that both disks, and one a little smaller, can hold them.

    Four parts of a hundred stay free, and on 16 GB and more a sixteenth for swap, 2 GiB at most: as
    nasweb-grow leaves them.
    """
    size = min(one.size_bytes, other.size_bytes)
    swap = min(size // 16, 2048 * MIB) if size >= _SIXTEEN_GB else 0
    return (size - size // 25 - swap) // MIB - ROOT_START_MIB


def room_bytes(mib: int) -> int:
    """What files can take of an ext4 on members of so many MiB: less what md, inodes and journal take."""
    return mib * MIB * 97 // 100 - 192 * MIB


def needed_for(used_bytes: int) -> int:
    """The room that a system which takes so much is given at least."""
    return used_bytes + max(used_bytes // 10, _LEAST_SPARE)


def copy_of(inventory: Inventory) -> tuple[Conversion, MdArray | None, Disk | None] | None:
    """The copy that is told of, its array and its disk where they are here; None where none is told of."""
    report = inventory.boot.conversion
    if report is None:
        return None
    array = next((one for one in inventory.arrays if one.uuid == report.array), None)
    return report, array, inventory.disk(report.disk)


def left_behind(disk: Disk, inventory: Inventory) -> tuple[MdArray, ...]:
    """Arrays that an earlier try left on `disk`: they lie on it alone, and nothing is mounted from them."""
    return tuple(
        array
        for array in inventory.arrays
        if array.name == ARRAY
        and array.level == "raid1"
        and not array.mountpoints
        and array.members
        and all(member.disk == disk.id for member in array.members)
    )

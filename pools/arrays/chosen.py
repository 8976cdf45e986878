"""The array and the member that a request names, and what keeps anything from being done with them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.inventory import ArrayMember, Disk, Inventory, MdArray
from jobs.planning.findings import Findings

Text = Annotated[str, Meta(max_length=1024)]
REDUNDANT = frozenset({"raid1", "raid4", "raid5", "raid6", "raid10"})
_SYSTEM = frozenset({"/", "/boot", "/boot/efi", "/usr", "/var", "[SWAP]"})


def assembled(name: str, inventory: Inventory, findings: Findings) -> MdArray:
    """The array called `name`. Raises `Refused` with all of `findings` where there is none."""
    array = inventory.array(name)
    if array is None:
        findings.refuse("unknown-array", "name", "This machine has no array of that name.")
    return array


def of_system(array: MdArray) -> bool:
    """Whether the running system lies on it, or swaps to it."""
    return bool(_SYSTEM & set(array.mountpoints))


def changeable(name: str, inventory: Inventory, findings: Findings) -> MdArray:
    """An array that may be changed. Raises `Refused` for one of the system, or that does not run."""
    array = assembled(name, inventory, findings)
    if of_system(array):
        message = f"{array.name} carries the running system. Manage it as the boot pair, not here."
        findings.refuse("carries-system", "name", message)
    if not running(array):
        message = f"{array.name} is not running: members are missing. Start it first."
        findings.refuse("not-running", "name", message)
    if array.read_only:
        findings.refuse("read-only", "name", f"{array.name} is read-only, so it cannot be changed.")
    return array


def redundant(name: str, inventory: Inventory, findings: Findings) -> MdArray:
    """One that may be changed and whose members can be exchanged."""
    array = changeable(name, inventory, findings)
    if array.level not in REDUNDANT:
        message = f"{array.name} is a {level_words(array.level)}, whose members cannot be replaced."
        findings.refuse("no-redundancy", "name", message)
    return array


def running(array: MdArray) -> bool:
    """Whether data can be reached in it."""
    return array.state != "inactive"


def check_idle(array: MdArray, findings: Findings) -> None:
    """Nothing may go on in it but a check."""
    work = array.work
    if work is not None and work.kind != "check":
        message = f"A {work.kind} of {array.name} is running. Wait until it has finished."
        findings.error("busy-array", "name", message)


def member_on(name: str, array: MdArray, inventory: Inventory, findings: Findings) -> ArrayMember:
    """The member on the disk of that name. Raises `Refused` where there is none."""
    disk = inventory.disk(name)
    found = next((one for one in array.members if disk is not None and one.disk == disk.id), None)
    if found is None:
        findings.refuse("not-a-member", "member", f"That disk is not a member of {array.name}.")
    return found


def link_of(member: ArrayMember) -> str:
    """The stable link of a member whose disk is known."""
    part = "" if member.partition is None else f"-part{member.partition}"
    return f"/dev/disk/by-id/{member.disk}{part}"


def member_said(member: ArrayMember, inventory: Inventory) -> str:
    """A member in words: its disk with bay and serial."""
    disk = inventory.disk(member.disk) if member.disk else None
    return disk_said(disk) if disk else member.path


def disks_of(array: MdArray, inventory: Inventory) -> tuple[Disk, ...]:
    """Those of its members' disks that are known, in the order of their bays."""
    ids = {member.disk for member in array.members}
    return tuple(disk for disk in inventory.disks if disk.id in ids)


def disk_said(disk: Disk) -> str:
    """A disk in words."""
    where = f"bay {disk.bay}, " if disk.bay else ""
    return f"{disk.model} ({where}serial {disk.serial or 'unknown'})"


def needed(array: MdArray) -> int:
    """How many members must hold all the data for nothing to be lost, whichever they are."""
    missing = {"raid1": array.wanted - 1, "raid6": 2, "raid4": 1, "raid5": 1, "raid10": 1}
    return array.wanted - missing.get(array.level, 0)


def level_words(level: str) -> str:
    """raid5 → RAID 5."""
    return f"RAID {level[4:]}" if level.startswith("raid") and level[4:].isdigit() else level


def claims(array: MdArray, *disks: str | None) -> tuple[str, ...]:
    """What a job on this array and these disks claims."""
    return (f"array:{array.name}", *(f"disk:{disk}" for disk in disks if disk))

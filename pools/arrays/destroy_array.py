"""array.destroy: an array with all that is in it; its disks are free afterwards."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.datasets.mounting import ReadUnits, RemoveMount, StopMount, may_be_mounted_at
from host.commands.disks.md import MdStop, MdZeroSuperblock
from host.commands.disks.partition import UdevSettle
from host.inventory import ArrayMember, Inventory, MdArray
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import in_bay, sentences
from jobs.wording import listed
from pools.arrays.chosen import Text, assembled, claims, disks_of, link_of, of_system

_BUILT_UPON = {
    "LVM2_member": "LVM", "crypto_LUKS": "an encrypted volume", "zfs_member": "a pool of ZFS",
    "linux_raid_member": "another array",
}  # fmt: skip


class DestroyArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Unmount an array, stop it, and let its members forget it."""

    name: Text


def plan(request: DestroyArray, inventory: Inventory) -> Plan:
    """Raises `Refused` for arrays of the system, and for what something else is built upon."""
    findings = Findings()
    array = assembled(request.name, inventory, findings)
    if of_system(array):
        message = f"{array.name} carries the running system: without it this machine cannot start."
        findings.refuse("carries-system", "name", message)
    _check_use(array, findings)
    findings.refuse_on_error()
    known = [member for member in array.members if member.disk is not None]
    commands: list[AnyCommand] = [MdStop(array=array.node)]
    if known:
        commands.append(MdZeroSuperblock(members=tuple(link_of(member) for member in known)))
    commands.append(UdevSettle())
    losses = tuple(_loss(array, member, inventory) for member in known)
    steps = [_unmount(point) for point in array.mountpoints]
    steps.append(Step(title=f"Stop and erase array {array.name}", commands=tuple(commands), destroys=losses))
    return Plan(
        operation="array.destroy",
        steps=tuple(steps),
        summary=_summary(array, inventory),
        findings=findings.all(),
        claims=claims(array, *(member.disk for member in known)),
        confirm=array.name,
    )


def _summary(array: MdArray, inventory: Inventory) -> str:
    disks = disks_of(array, inventory)
    content = f"its {array.fstype} file system with all files" if array.fstype else "everything on it"
    points = listed(list(array.mountpoints))
    return sentences(
        f"The array {array.name} and {content} are deleted for good.",
        f"{points} {'is' if len(array.mountpoints) == 1 else 'are'} unmounted for good." if points else "",
        f"The {in_bay(*disks)} can be used for something new." if disks else "",
    )


def _check_use(array: MdArray, findings: Findings) -> None:
    if array.fstype in _BUILT_UPON:
        what = _BUILT_UPON[array.fstype]
        findings.error("built-upon", "name", f"{what} is built on {array.name}. Remove that first.")
    for point in array.mountpoints:
        if not may_be_mounted_at(point):
            message = (
                f"{array.name} is mounted at {point}, which the console does not unmount. Unmount it "
                "yourself first."
            )
            findings.error("mounted-elsewhere", "name", message)


def _unmount(folder: str) -> Step:
    commands = (StopMount(folder=folder), RemoveMount(folder=folder), ReadUnits())
    return Step(title=f"Unmount {folder} permanently", commands=commands)


def _loss(array: MdArray, member: ArrayMember, inventory: Inventory) -> Loss:
    content = f"{array.fstype} file system" if array.fstype else "nothing that is recognised"
    label = f" “{array.label}”" if array.label else ""
    disk = inventory.disk(member.disk or "")
    return Loss(
        disk=member.disk,
        bay=disk.bay if disk else None,
        model=disk.model if disk else None,
        serial=disk.serial if disk else None,
        holds=f"member of array {array.name}: {content}{label}",
        size_bytes=disk.size_bytes if disk else None,
    )

"""The steps that make a disk a half: which disk can be one, what it loses, what is written to it."""

from __future__ import annotations

import msgspec

from host.boot_pair import Half, Pair, boot_pair, in_words, link
from host.commands.closed import AnyCommand
from host.commands.disks.md import MdAdd
from host.commands.disks.partition import UdevWait, WipeSignatures
from host.commands.system.boot_pair import BootCopy, CopyTable
from host.inventory import Disk, Inventory
from host.inventory.disks import ClaimKind
from jobs.plan import Loss, Step
from jobs.planning.findings import Findings
from jobs.planning.words import roughly
from pools.advice.rebuild import rebuild_seconds
from pools.boot.swap_array import end, swap_array, taken_up
from pools.disk_choice import choose_one
from pools.unwell import AcceptUnwell, check_unwell, warn_of_unwell

MIB = 1 << 20
_TABLES = 4 * MIB  # in front of the first partition, and the second copy of the table
_LARGE = 256 << 30
IDLE: tuple[ClaimKind, ...] = ("md", "swap")


def asked_pair(inventory: Inventory, findings: Findings) -> Pair:
    """The boot pair. Raises `Refused` where the system runs from something else."""
    pair = boot_pair(inventory)
    if pair is None:
        message = "The system is not on an md RAID1, so there is no pair to repair."
        findings.refuse("no-boot-pair", "", message)
    return pair


def model_half(pair: Pair, findings: Findings) -> Half:
    """A half that holds everything: what the other one is made like. Raises `Refused` without one."""
    if not pair.whole:
        message = "No half holds everything yet: wait for the running resync to finish."
        findings.refuse("resyncing", "", message)
    return pair.whole[0]


def check_newcomer(
    name: str,
    model: Half,
    pair: Pair,
    inventory: Inventory,
    findings: Findings,
    *,
    accept_unwell: AcceptUnwell,
) -> Disk | None:
    """The disk that comes, if it can; why not becomes findings about `disk`."""
    if pair.half(name) is not None:
        findings.error("already-a-half", "disk", "This disk is a half of the boot pair already.")
        return None
    # A half that was away comes back as a member of no array: it may hold another story than the one that
    # went on, so it is never taken back as it is, but filled anew.
    disks = tuple(once_swap_ended(disk, inventory) for disk in inventory.disks)
    known = msgspec.structs.replace(inventory, disks=disks)
    disk = choose_one(name, "disk", known, findings, but=IDLE)
    if disk is None:
        return None
    needed = needed_bytes(model)
    if disk.size_bytes < needed:
        message = f"{in_words(disk)} has {disk.size_bytes} bytes; the system needs {needed}."
        findings.error("disk-too-small", "disk", message)
    if disk.size_bytes > _LARGE and disk.size_bytes > 4 * needed:
        message = f"Of {in_words(disk)} only {needed / 1e9:.0f} GB will be used: the rest stays unused."
        findings.warning("much-larger", "disk", message)
    warn_of_unwell(disk, "disk", findings)
    check_unwell((disk,), accept_unwell, findings)
    return disk


def can_join(disk: Disk, inventory: Inventory) -> bool:
    """Nothing uses it, but perhaps an array that it left, or swap space that nobody turned on or that the
    console made."""
    claims = once_swap_ended(disk, inventory).claims
    return all(claim.idle and claim.kind in IDLE for claim in claims if claim.active)


def once_swap_ended(disk: Disk, inventory: Inventory) -> Disk:
    """The disk as it will be when the swap on both halves has ended: `prepare` sees to that first."""
    array = taken_up(disk, inventory)
    if array is None:
        return disk
    words = {f"md member of {array.kname}", *(("swap in use",) if "[SWAP]" in array.mountpoints else ())}
    claims = tuple(
        msgspec.structs.replace(claim, idle=True) if claim.words in words else claim for claim in disk.claims
    )
    return msgspec.structs.replace(disk, claims=claims)


def needed_bytes(model: Half) -> int:
    """How large a disk must be to hold the same partitions."""
    return sum(part.size_bytes for part in model.disk.partitions if part.number) + _TABLES


def prepare(disk: Disk, model: Half, inventory: Inventory) -> Step:
    """The step that gives `disk` the partitions of `model`, and GRUB."""
    numbers = tuple(part.number for part in disk.partitions if part.number)
    parts = tuple(f"{disk.link}-part{part.number}" for part in model.disk.partitions if part.number)
    swap = end(inventory, (), for_good=False) if taken_up(disk, inventory) else ()
    commands: list[AnyCommand] = [
        *swap,
        WipeSignatures(disk=disk.link, partitions=numbers),
        CopyTable(source=model.disk.link, target=disk.link),
        UdevWait(links=parts),
        BootCopy(disk=disk.link),
    ]
    losses = () if disk.free else (loss(disk),)
    title = f"Prepare {in_words(disk)}: partitions, and GRUB for BIOS and UEFI"
    return Step(title=title, commands=tuple(commands), destroys=losses)


def join(disk: Disk, model: Half, pair: Pair) -> tuple[MdAdd, ...]:
    """The commands that give each mirrored array its member on `disk`."""
    return tuple(
        MdAdd(array=array.node, members=(link(disk, member.partition),))
        for array, member in model.members
        if array in pair.mirrored
    )


def check_swap(pair: Pair, inventory: Inventory, findings: Findings) -> None:
    """An array without copies does not outlive a disk, and cannot be made whole: swap is made anew."""
    ours = swap_array(inventory) if inventory.swap.raid0_set else None
    if inventory.swap.raid0_set:
        message = (
            "Swap is on both halves. It is turned off for a moment, or until there are two halves again, "
            "and is then created again."
        )
        findings.info("swap-anew", "", message)
    for array in pair.arrays:
        if array not in pair.mirrored and array != ours:
            message = f"{array.kname} ({array.level}) has no redundancy, so this does not repair it."
            findings.warning("no-copies", "", message)


def resync_time(pair: Pair, disk: Disk) -> str:
    """About how long `disk` takes to get all that the mirrored arrays hold."""
    held = sum(array.size_bytes for array in pair.mirrored)
    return roughly(rebuild_seconds("mirror", (held,), disk.medium))


def claims(pair: Pair, *disks: Disk) -> tuple[str, ...]:
    """What the job holds."""
    arrays = (f"array:{array.name}" for array in pair.arrays)
    return (*arrays, *(f"disk:{disk.id}" for disk in disks))


def loss(disk: Disk) -> Loss:
    """All that is on a disk."""
    return Loss(
        disk=disk.id, bay=disk.bay, model=disk.model, serial=disk.serial, holds=disk.used_by or "",
        size_bytes=disk.size_bytes,
    )  # fmt: skip

"""boot.adopt: a root that is on md RAID1 already becomes our boot pair; what is missing is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from host.boot_pair import Half, Pair, boot_pair, in_words
from host.commands.disks.md import MdBitmap
from host.commands.system.boot_pair import BootCopy
from host.commands.system.converting import loader_mark
from host.inventory import Disk, Inventory, MdArray
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import in_bay, sentences
from jobs.wording import listed
from pools.boot.preparing import claims

_ESP = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"  # nasweb-boot-copy writes to no other
_BIOS = "21686148-6449-6e6f-744e-656564454649"
_MEMBER = "linux_raid_member"
_READ_BY_GRUB = {"0.90", "1.0", "1.1", "1.2"}
_ROOT_TYPES = {"ext2", "ext3", "ext4", "xfs", "btrfs"}
_BENEATH = {
    "LVM2_member": "root-on-lvm",
    "crypto_LUKS": "root-encrypted",
}

State = Literal["good", "missing", "warning", "refused"]


class Trait(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a boot pair has. `missing` is written by adopting; `refused` keeps it from that."""

    code: str
    state: State
    words: str


class Adopt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take over a system that is on md RAID1: boot loaders on both halves, and a bitmap."""


def plan(request: Adopt, inventory: Inventory) -> Plan:
    """Raises `Refused` for what cannot be adopted, and where nothing is missing."""
    findings = Findings()
    found = traits(inventory)
    for trait in found:
        if trait.state == "refused":
            findings.error(trait.code, "", trait.words)
        elif trait.state == "warning":
            findings.warning(trait.code, "", trait.words)
        else:
            findings.info(trait.code, "", trait.words)
    findings.refuse_on_error()
    pair = boot_pair(inventory)
    if pair is None or not any(trait.state == "missing" for trait in found):
        findings.refuse("adopted", "", "Nothing is missing: it is adopted already.")
    lacking = _lacking(pair, inventory)
    steps = [
        Step(title=f"Write GRUB to {in_words(disk)}", commands=(BootCopy(disk=disk.link),))
        for disk in lacking
    ]
    without = [array for array in pair.mirrored if not array.bitmap]
    bitmaps = tuple(MdBitmap(array=array.node) for array in without)
    if bitmaps:
        steps.append(Step(title="Add a write-intent bitmap to each array", commands=bitmaps))
    return Plan(
        operation="boot.adopt",
        steps=tuple(steps),
        summary=_summary(pair, lacking, without),
        findings=findings.all(),
        claims=claims(pair, *lacking),
    )


def _summary(pair: Pair, lacking: tuple[Disk, ...], without: list[MdArray]) -> str:
    arrays = listed([array.name for array in without])
    return sentences(
        f"The mirror {pair.root.name}, which the system runs from, becomes the boot pair of the console.",
        f"GRUB is written to the {in_bay(*lacking)}, so that either half can start the machine."
        if lacking
        else "",
        f"After a power cut only what was being written to {arrays} is copied again, instead of everything."
        if without
        else "",
    )


def traits(inventory: Inventory) -> tuple[Trait, ...]:
    """What is as it should be, and what is not; why it cannot be adopted comes first."""
    pair = boot_pair(inventory)
    if pair is None:
        return (_no_pair(inventory),)
    found = (*_root(pair), *_mounts(pair, inventory), *_loaders(pair, inventory), *_bitmaps(pair))
    order: dict[State, int] = {"refused": 0, "missing": 1, "warning": 2, "good": 3}
    return tuple(sorted(found, key=lambda trait: order[trait.state]))


def _no_pair(inventory: Inventory) -> Trait:
    array = next((one for one in inventory.arrays if one.carries_system), None)
    if array is not None:
        words = f"The root is on {array.name}, which is {array.level}: only RAID1 starts from either disk."
        return Trait(code="not-raid1", state="refused", words=words)
    for array in inventory.arrays:
        if code := _BENEATH.get(array.fstype or ""):
            kind = "LVM" if code == "root-on-lvm" else "encryption"
            words = f"The array {array.name} holds {kind} with the root in it, which cannot be adopted."
            return Trait(code=code, state="refused", words=words)
    words = "The root is not on an md RAID1. From a single disk it can be moved onto a pair."
    return Trait(code="no-boot-pair", state="refused", words=words)


def _root(pair: Pair) -> Iterator[Trait]:
    root = pair.root
    if root.metadata in _READ_BY_GRUB:
        words = f"GRUB reads its metadata ({root.metadata})."
        yield Trait(code="metadata", state="good", words=words)
    else:
        words = f"GRUB cannot read the metadata {root.metadata} of {root.name}."
        yield Trait(code="metadata", state="refused", words=words)
    if root.fstype not in _ROOT_TYPES:
        words = f"The root's file system is {root.fstype or 'unknown'}: GRUB cannot find a kernel there."
        yield Trait(code="file-system", state="refused", words=words)
    if root.wanted < 2:
        words = f"{root.name} has only one slot. mdadm --grow {root.node} --raid-devices=2 adds another."
        yield Trait(code="one-place", state="refused", words=words)
    elif not pair.complete:
        words = "One half holds everything; the other is missing or being resynced."
        yield Trait(code="one-half", state="warning", words=words)


def _mounts(pair: Pair, inventory: Inventory) -> Iterator[Trait]:
    """What the system needs must be on the arrays, and nothing of it on one disk alone."""
    halves = {half.disk.id for half in pair.halves}
    alone = {
        point: disk
        for disk in inventory.disks
        for part in disk.partitions
        if part.fstype != _MEMBER
        for point in part.mountpoints
    }
    if disk := alone.get("/boot"):
        words = f"/boot is only on {in_words(disk)}: move it onto the array, or onto an array of its own."
        yield Trait(code="boot-alone", state="refused", words=words)
    else:
        yield Trait(code="boot", state="good", words="/boot is on an array.")
    for point in ("/usr", "/var"):
        if disk := alone.get(point):
            words = f"{point} is on {in_words(disk)} alone, and the system cannot run without it."
            yield Trait(code="part-alone", state="refused", words=words)
    if disk := alone.get("/boot/efi"):
        words = (
            f"/boot/efi is the ESP of {in_words(disk)}. Without that disk the start waits for it: give its "
            "line in /etc/fstab the option nofail, or delete the line."
        )
        yield Trait(code="esp-mounted", state="warning", words=words)
    if (disk := alone.get("[SWAP]")) and disk.id in halves:
        words = f"Swap is only on {in_words(disk)}: what is swapped out is lost if that disk fails."
        yield Trait(code="swap-alone", state="warning", words=words)
    for array in pair.arrays:
        if array not in pair.mirrored and "[SWAP]" in array.mountpoints:
            words = (
                f"Swap is on array {array.name} ({array.level}): what is swapped out is lost if either "
                "half fails."
            )
            yield Trait(code="swap-without-copies", state="warning", words=words)


def _loaders(pair: Pair, inventory: Inventory) -> Iterator[Trait]:
    lacking = _lacking(pair, inventory)
    for half in pair.halves:
        words = in_words(half.disk)
        if half.disk not in lacking:
            yield Trait(code="loader", state="good", words=f"{words} has the boot loader.")
            continue
        if any(part.parttype == _ESP and part.fstype == _MEMBER for part in half.disk.partitions):
            message = (
                f"The ESP of {words} is a member of an array. Stop that array, clear the member, and make a "
                "FAT file system there: GRUB is written to an ESP of each disk's own."
            )
            yield Trait(code="esp-in-array", state="refused", words=message)
            continue
        bios, esp = _room(half.disk)
        if not bios and not esp:
            message = (
                f"{words} has no room for a boot loader: it has neither an ESP nor a BIOS boot partition."
            )
            yield Trait(code="no-room", state="refused", words=message)
            continue
        yield Trait(
            code="loader",
            state="missing",
            words=f"{words} does not have the boot loader as Nasweb writes it.",
        )
        if not (bios and esp):
            only, none = ("a BIOS", "UEFI") if bios else ("UEFI", "a BIOS")
            message = f"{words} can start a machine by {only} only: it has no room for {none}."
            yield Trait(code="one-firmware", state="warning", words=message)


def _lacking(pair: Pair, inventory: Inventory) -> tuple[Disk, ...]:
    """The halves that our program is not known to have written GRUB to."""
    written = set(inventory.boot.loaders)
    return tuple(half.disk for half in _alive(pair) if loader_mark(half.disk.serial) not in written)


def _alive(pair: Pair) -> tuple[Half, ...]:
    return tuple(half for half in pair.halves if half.state != "faulty")


def _room(disk: Disk) -> tuple[bool, bool]:
    """Whether GRUB has room for a BIOS, and for UEFI. An old table leaves it before its first part."""
    kinds = {part.parttype for part in disk.partitions if part.parttype}
    return _BIOS in kinds or any(kind.startswith("0x") for kind in kinds), _ESP in kinds


def _bitmaps(pair: Pair) -> Iterator[Trait]:
    for array in pair.mirrored:
        if array.bitmap:
            words = f"Array {array.name} notes what is being written: a half that was away is back quickly."
            yield Trait(code="bitmap", state="good", words=words)
        else:
            words = f"Array {array.name} has no bitmap: after each power cut all of it is copied again."
            yield Trait(code="bitmap", state="missing", words=words)

"""array.create: disks become an md array, with a file system mounted at each start if one is wanted."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.mounting import (
    FileSystem,
    MakeFileSystem,
    ReadUnits,
    StartMount,
    SyncUnits,
    WriteMount,
    may_be_mounted_at,
)
from host.commands.disks.md import Level, MdCreate, array_link
from host.commands.disks.partition import UdevWait
from host.inventory import Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import erased, in_bay, sentences
from jobs.wording import counted
from pools import preparation
from pools.arrays.chosen import Text
from pools.arrays.newcomer import check_disks, sync_time
from pools.disk_choice import choose_one
from pools.quotas.limits import in_words
from pools.unwell import AcceptUnwell

LEAST: dict[Level, int] = {1: 2, 5: 3, 6: 4, 10: 4}
_MOST = 24
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,26}")
_KERNELS_OWN = re.compile(r"(?:md_?)?d?\d+")  # md127, d0: names that mdadm reads as numbers
_LABEL = 12  # letters that XFS takes
_READABLE_BYTES = 12_500_000_000_000  # see pools.suitability


class CreateArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Create an md array of whole disks, for a file system beside ZFS."""

    name: Text
    level: Level
    disks: Annotated[tuple[Text, ...], Meta(max_length=_MOST)]  # ids under /dev/disk/by-id
    fstype: FileSystem | None = None  # none: the array stays empty
    mountpoint: Text | None = None  # /mnt/<name> when left out, with a file system
    accept_unwell: AcceptUnwell = ()


def plan(request: CreateArray, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the name, the disks, the level or the mount point."""
    findings = Findings()
    _check_name(request.name, inventory, findings)
    folder = _folder(request, inventory, findings)
    disks = _disks(request, inventory, findings)
    check_disks(disks, request.accept_unwell, inventory, findings, spared=False)
    _check_level(request.level, disks, findings)
    message = (
        "md keeps no checksums: it can find that copies differ, but not which one is right. A ZFS pool can."
    )
    findings.info("no-checksums", "", message)
    findings.refuse_on_error()
    link = array_link(request.name)
    least = min(disk.size_bytes for disk in disks)
    members = tuple(preparation.partition_link(disk) for disk in disks)
    create = MdCreate(name=request.name, level=request.level, members=members)
    steps = [
        preparation.prepare(disks, use="md"),
        Step(
            title=f"Create array {request.name} as RAID {request.level}",
            commands=(create, UdevWait(links=(link,))),
        ),
    ]
    if request.fstype is not None and folder is not None:
        make = MakeFileSystem(device=link, fstype=request.fstype, label=request.name[:_LABEL])
        steps.append(Step(title=f"Make an empty {request.fstype} file system on it", commands=(make,)))
        write = WriteMount(device=link, fstype=request.fstype, folder=folder)
        mount = (write, ReadUnits(), StartMount(folder=folder), SyncUnits())
        steps.append(Step(title=f"Mount it at {folder}, now and at every start", commands=mount))
    return Plan(
        operation="array.create",
        steps=tuple(steps),
        summary=_summary(request, disks, folder),
        takes=f"{sync_time(least, *disks)} for the first sync; {request.name} can be used meanwhile",
        findings=findings.all(),
        claims=(f"array:{request.name}", *(f"disk:{disk.id}" for disk in disks)),
    )


def _summary(request: CreateArray, disks: tuple[Disk, ...], folder: str | None) -> str:
    room = in_words(usable_bytes(request.level, tuple(disk.size_bytes for disk in disks)))
    content = f"with an empty {request.fstype} file system at {folder}" if folder else "without a file system"
    spare = counted(_survives(request.level, len(disks)), "disk")
    return sentences(
        f"The {in_bay(*disks)} become the array {request.name}: {room} as RAID {request.level}, {content}.",
        f"It survives the failure of {spare}.",
        erased(*disks),
    )


def _survives(level: Level, disks: int) -> int:
    """How many may fail, whichever they are."""
    return disks - 1 if level == 1 else 2 if level == 6 else 1


def _check_name(name: str, inventory: Inventory, findings: Findings) -> None:
    if not _NAME.fullmatch(name):
        message = "An array's name starts with a letter and has up to 27 letters, digits and _ - ."
        findings.error("bad-name", "name", message)
    elif _KERNELS_OWN.fullmatch(name):
        findings.error(
            "bad-name", "name", f"{name} looks like a kernel device number. Choose a word instead."
        )
    elif any(name.casefold() in {one.name.casefold(), one.kname} for one in inventory.arrays):
        findings.error("name-taken", "name", f"There is an array {name} already. Choose another name.")


def _folder(request: CreateArray, inventory: Inventory, findings: Findings) -> str | None:
    folder = request.mountpoint
    if request.fstype is None:
        if folder is not None:
            message = (
                "Without a file system there is nothing to mount. Choose a file system, or leave the "
                "folder empty."
            )
            findings.error("nothing-to-mount", "mountpoint", message)
        return None
    folder = f"/mnt/{request.name}" if folder is None else folder
    if not may_be_mounted_at(folder):
        if request.mountpoint is not None or _NAME.fullmatch(request.name):
            message = "Choose a folder directly below /mnt or /srv, such as /mnt/backup."
            findings.error("bad-mountpoint", "mountpoint", message)
        return None
    used = {point for array in inventory.arrays for point in array.mountpoints}
    used |= {point for disk in inventory.disks for part in disk.partitions for point in part.mountpoints}
    used |= {dataset.value("mountpoint") or "" for dataset in inventory.datasets}
    if folder in used:
        message = f"Something is mounted at {folder}. Choose another folder."
        findings.error("mountpoint-taken", "mountpoint", message)
    return folder


def _disks(request: CreateArray, inventory: Inventory, findings: Findings) -> tuple[Disk, ...]:
    chosen: dict[str, Disk] = {}
    for index, name in enumerate(request.disks):
        field = f"disks[{index}]"
        disk = choose_one(name, field, inventory, findings)
        if disk is not None and disk.id in chosen:
            findings.error("duplicate-disk", field, f"{disk.id} is selected twice.")
        elif disk is not None:
            chosen[disk.id] = disk
    if len(request.disks) < (least := LEAST[request.level]):
        message = f"RAID {request.level} takes at least {least} disks; chosen: {len(request.disks)}."
        findings.error("too-few-disks", "disks", message)
    return tuple(chosen.values())


def _check_level(level: Level, disks: tuple[Disk, ...], findings: Findings) -> None:
    sizes = sorted(disk.size_bytes for disk in disks)
    if not sizes:
        return
    if sizes[-1] - sizes[0] > sizes[-1] // 100:
        message = (
            f"The disks differ in size: of each, only the {sizes[0] / 1e12:.2f} TB of the smallest are used."
        )
        findings.warning("mixed-sizes", "disks", message)
    if (
        level == 5
        and sizes[0] * (len(sizes) - 1) >= _READABLE_BYTES
        and any(d.medium == "hdd" for d in disks)
    ):
        message = (
            "A rebuild fails if any other disk has a read error, and manufacturers promise only 12.5 TB "
            "without one. RAID 6 survives that."
        )
        findings.warning("raid5-large-disks", "level", message)


def usable_bytes(level: Level, sizes: tuple[int, ...]) -> int:
    """About what an array of disks of these sizes offers; the file system keeps some of it for itself."""
    if len(sizes) < LEAST[level]:
        return 0
    data = {1: 1.0, 5: len(sizes) - 1, 6: len(sizes) - 2, 10: len(sizes) / 2}[level]
    return int(preparation.partition_mib(min(sizes)) * preparation.MIB * data)

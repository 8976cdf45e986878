"""boot.convert: the running system is copied to the first half of a pair to come, and goes on as it is."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from host.boot_pair import in_words
from host.commands.closed import AnyCommand
from host.commands.datasets.mounting import MakeFileSystem
from host.commands.disks.md import MdCreate, MdStop, MdZeroSuperblock
from host.commands.disks.partition import UdevWait, WipeSignatures
from host.commands.system.converting import ARRAY, COPY, ForgetConverting, StartConverting, WriteBootTable
from host.inventory import Disk, DiskClaim, Inventory, MdArray
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import erased, named, roughly, sentences
from pools.advice.rebuild import rebuild_seconds
from pools.boot.preparing import IDLE, loss
from pools.boot.running import (
    Running,
    asked_running,
    left_behind,
    needed_for,
    room_bytes,
    root_mib,
)
from pools.disk_choice import choose_one
from pools.members.places import Text
from pools.unwell import AcceptUnwell, check_unwell, warn_of_unwell


class Convert(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copy the system to a second stick or disk. All that is on that goes; the first one stays as it is."""

    disk: Text
    accept_unwell: AcceptUnwell = ()


def plan(request: Convert, inventory: Inventory) -> Plan:
    """Raises `Refused` where the system cannot be moved, or the disk cannot hold it."""
    findings = Findings()
    report = inventory.boot.conversion
    if report is not None and report.running:
        findings.refuse(
            "copy-goes-on", "", "The system is being copied just now. Wait for that, or leave it."
        )
    now = asked_running(inventory, findings)
    disk = inventory.disk(request.disk)
    old = () if disk is None else left_behind(disk, inventory)
    _check_name(old, inventory, findings)
    chosen = choose_one(request.disk, "disk", _without(old, inventory), findings, but=IDLE)
    if chosen is not None:
        _check_size(chosen, now, findings)
        warn_of_unwell(chosen, "disk", findings)
        check_unwell((chosen,), request.accept_unwell, findings)
    findings.refuse_on_error()
    if disk is None:
        raise AssertionError("A disk that is unknown is an error.")
    words = (
        f"{in_words(now.disk)} is only read, and still starts the machine. The copy continues in the "
        "background; when it has finished, “restart into the copy” is the next step."
    )
    findings.info("old-stays", "", words)
    return Plan(
        operation="boot.convert",
        steps=_steps(disk, old, root_mib(disk, now.disk)),
        summary=_summary(disk, now),
        takes=_takes(disk, now),
        findings=findings.all(),
        claims=(f"array:{ARRAY}", f"disk:{disk.id}", f"disk:{now.disk.id}"),
        confirm=None if disk.free else disk.serial or disk.id,
    )


def _summary(disk: Disk, now: Running) -> str:
    return sentences(
        f"The system is copied to the {named(disk)}, and the machine can restart from there afterwards.",
        f"Until then it keeps running from the {named(now.disk)}, which is only read.",
        erased(disk),
    )


def _takes(disk: Disk, now: Running) -> str:
    copying = roughly(rebuild_seconds("mirror", (now.used_bytes or 0,), disk.medium))
    return f"{copying}, in the background; the machine stays usable"


def candidates(now: Running, inventory: Inventory) -> tuple[Disk, ...]:
    """The disks that the system could be copied to, the smallest first: a stick before a disk."""
    used = now.used_bytes
    if used is None:
        return ()
    found = []
    for disk in inventory.disks:
        old = left_behind(disk, inventory)
        cleared = _cleared(disk, old)
        free = all(claim.idle and claim.kind in IDLE for claim in cleared.claims if claim.active)
        fits = room_bytes(root_mib(disk, now.disk)) >= needed_for(used)
        if disk.id != now.disk.id and free and fits and not disk.twins:
            found.append(disk)
    return tuple(
        sorted(found, key=lambda disk: (bool(disk.unwell), disk.transport != "usb", disk.size_bytes))
    )


def take_apart(arrays: Collection[MdArray], disk: Disk) -> tuple[AnyCommand, ...]:
    """What lets an array of an earlier try go."""
    commands: list[AnyCommand] = []
    for array in arrays:
        links = tuple(f"{disk.link}-part{one.partition}" for one in array.members if one.partition)
        commands.append(MdStop(array=array.node))
        if links:
            commands.append(MdZeroSuperblock(members=links))
    return tuple(commands)


def _steps(disk: Disk, old: tuple[MdArray, ...], mib: int) -> tuple[Step, ...]:
    numbers = tuple(part.number for part in disk.partitions if part.number)
    root = f"{disk.link}-part3"
    prepare = Step(
        title=f"Prepare {in_words(disk)}: partitions of a half of the boot pair",
        commands=(
            ForgetConverting(),
            *take_apart(old, disk),
            WipeSignatures(disk=disk.link, partitions=numbers),
            WriteBootTable(disk=disk.link, root_mib=mib),
            UdevWait(links=tuple(f"{disk.link}-part{number}" for number in (1, 2, 3))),
        ),
        destroys=() if disk.free else (loss(disk),),
    )
    array = Step(
        title="Make an md RAID1 there that waits for its other half",
        commands=(
            MdCreate(name=ARRAY, level=1, members=(root,), missing=1),
            UdevWait(links=(COPY,)),
            MakeFileSystem(device=COPY, fstype="ext4", label="nasweb"),
        ),
    )
    copy = Step(
        title="Start copying the system, and make the copy bootable",
        commands=(StartConverting(disk=disk.link),),
    )
    return prepare, array, copy


def _check_name(old: tuple[MdArray, ...], inventory: Inventory, findings: Findings) -> None:
    other = next((one for one in inventory.arrays if one.name == ARRAY and one not in old), None)
    if other is not None:
        disks = ", ".join(member.disk or member.path for member in other.members)
        message = f"There is an array called {ARRAY} on {disks}. Pull that disk, or choose it here."
        findings.error("name-taken", "disk", message)


def _check_size(disk: Disk, now: Running, findings: Findings) -> None:
    mib = root_mib(disk, now.disk)
    needed, room = needed_for(now.used_bytes or 0), room_bytes(mib)
    if room < needed:
        smaller = min(disk, now.disk, key=lambda one: one.size_bytes)
        message = (
            f"The system takes {(now.used_bytes or 0) / 1e9:.1f} GB and is given {needed / 1e9:.1f} GB at "
            f"least. A pair with {in_words(smaller)} has room for {max(room, 0) / 1e9:.1f} GB."
        )
        findings.error("disk-too-small", "disk", message)
    elif disk.size_bytes < now.disk.size_bytes * 19 // 20:
        message = (
            f"Of {in_words(now.disk)} only {mib / 1000:.0f} GB will be used: both halves have the same size."
        )
        findings.info("first-is-larger", "disk", message)


def _without(arrays: tuple[MdArray, ...], inventory: Inventory) -> Inventory:
    disks = tuple(
        _cleared(disk, [array for array in arrays if any(one.disk == disk.id for one in array.members)])
        for disk in inventory.disks
    )
    return msgspec.structs.replace(inventory, disks=disks)


def _cleared(disk: Disk, arrays: Collection[MdArray]) -> Disk:
    """`disk` as it is once these arrays are taken apart."""
    if not arrays:
        return disk
    claims = tuple(_idle(claim) if claim.kind == "md" else claim for claim in disk.claims)
    return msgspec.structs.replace(disk, claims=claims)


def _idle(claim: DiskClaim) -> DiskClaim:
    return msgspec.structs.replace(claim, idle=True)

"""disk.wipe: frees a disk of what nothing uses now, such as an exported pool or a LUKS volume."""

from __future__ import annotations

import msgspec

from disks.choice import DiskName, SerialText, choose, in_words
from disks.history import record_event
from disks.records import record_of
from host.commands.disks.partition import UdevSettle, WipeSignatures
from host.inventory import Disk, DiskClaim, Inventory
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named, sentences


class WipeDisk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Erase what tells what is on a disk. Confirmed by its serial; nothing finds its data again."""

    disk: DiskName
    serial: SerialText | None = None  # required where the disk has one


def plan(request: WipeDisk, inventory: Inventory) -> Plan:
    """Raises `Refused` for a disk that something uses now, and for one that holds nothing."""
    findings = Findings()
    disk = choose(request.disk, request.serial, inventory, findings)
    if request.serial is None and disk.serial is not None:
        findings.error("required", "serial", "Give the disk's serial, so that the right one is erased.")
    for claim in disk.claims:
        if in_use(claim):
            findings.error("disk-in-use", "disk", f"{disk.id} is in use: {claim.words}.")
    if disk.twins:
        message = f"{disk.twins[0]} reports the same serial, so the wrong one of the two could be erased."
        findings.error("twins", "serial", message)
    if not disk.claims and not disk.partitions:
        findings.error("nothing-there", "disk", f"{disk.id} is empty: it can be used as it is.")
    if disk.asleep:
        findings.info("wakes", "disk", "The disk is asleep; this will wake it.")
    _warn_of_pool(disk, inventory, findings)
    findings.refuse_on_error()
    numbers = tuple(partition.number for partition in disk.partitions if partition.number)
    step = Step(
        title=f"Erase the signatures of {in_words(disk)}",
        commands=(WipeSignatures(disk=disk.link, partitions=numbers), UdevSettle()),
        destroys=(_loss(disk),),
    )
    return Plan(
        operation="disk.wipe",
        steps=(step,),
        summary=_summary(disk, inventory),
        findings=findings.all(),
        claims=(f"disk:{disk.id}",),
        confirm=disk.serial or disk.id,
    )


def _summary(disk: Disk, inventory: Inventory) -> str:
    lost = disk.used_by or "an empty partition table"
    return sentences(
        f"The {named(disk)} becomes blank and can be used for something new.",
        f"What it holds is lost for good: {lost}.",
        "That pool will be one disk short." if _same_pool(disk, inventory) else "",
    )


def in_use(claim: DiskClaim) -> bool:
    """Whether something must be stopped before the disk can be erased."""
    return claim.active and not claim.idle


def remember(request: WipeDisk, inventory: Inventory, _actor: str) -> None:
    """A line in the disk's story."""
    disk = inventory.disk(request.disk)
    record = record_of(disk.id) if disk else None
    if disk is not None and record is not None:
        record_event(record, "wiped", f"Erased; it held {disk.used_by or 'an empty partition'}")


def _warn_of_pool(disk: Disk, inventory: Inventory, findings: Findings) -> None:
    if others := _same_pool(disk, inventory):
        count = "1 other disk" if len(others) == 1 else f"{len(others)} other disks"
        message = f"{count} in this machine belong to the same pool; without this one it is degraded at best."
        findings.warning("pool-loses-member", "disk", message)


def _same_pool(disk: Disk, inventory: Inventory) -> list[Disk]:
    """The other disks here of the exported pool that it is of."""
    guids = {claim.pool_guid for claim in disk.claims if claim.kind == "exported-pool"}
    return [
        other
        for other in inventory.disks
        if other is not disk and any(claim.pool_guid in guids for claim in other.claims)
    ]


def _loss(disk: Disk) -> Loss:
    return Loss(
        disk=disk.id, bay=disk.bay, model=disk.model, serial=disk.serial,
        holds=disk.used_by or "an empty partition table", size_bytes=disk.size_bytes,
    )  # fmt: skip

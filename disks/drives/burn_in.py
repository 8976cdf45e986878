"""disk.burn-in: a long self-test, then every block written and read back."""

from __future__ import annotations

import msgspec

from disks.choice import DiskName, SerialText, choose, in_words
from disks.history import record_event
from disks.models import DiskRecord
from disks.records import record_of
from host.commands.disks.partition import UdevSettle, WipeSignatures
from host.commands.units import StartBurnIn, unit_serial
from host.inventory import BurnIn, Disk, Inventory
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named, roughly, sentences

_PACE = {"hdd": 130_000_000, "ssd": 400_000_000}  # bytes a second over the whole disk; else 20 MB/s
_SLOW_PACE = 20_000_000


class BurnInDisk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Test a disk by overwriting all of it. Confirmed by its serial."""

    disk: DiskName
    serial: SerialText


def plan(request: BurnInDisk, inventory: Inventory) -> Plan:
    """Raises `Refused` for a disk that is in use, or that cannot be told from another."""
    findings = Findings()
    disk = choose(request.disk, request.serial, inventory, findings)
    serial = unit_serial(disk.serial)
    for claim in disk.claims:
        if claim.active:
            findings.error("disk-in-use", "disk", f"{disk.id} is in use: {claim.words}.")
    if disk.twins:
        message = f"{disk.twins[0]} reports the same serial, so the wrong one of the two could be erased."
        findings.error("twins", "serial", message)
    if serial is None:
        findings.error(
            "odd-serial",
            "serial",
            "Its serial contains characters that cannot be used in the name of a unit.",
        )
    if disk.asleep:
        findings.info("wakes", "disk", "The disk is asleep; the test will wake it.")
    findings.info("takes-long", "disk", f"It takes about {_hours(disk)}, in the background.")
    findings.refuse_on_error()
    numbers = tuple(partition.number for partition in disk.partitions if partition.number)
    step = Step(
        title=f"Erase, write and verify all of it, {in_words(disk)}",
        commands=(
            WipeSignatures(disk=disk.link, partitions=numbers),
            UdevSettle(),
            StartBurnIn(disk=disk.link, serial=serial or ""),
        ),
        destroys=(_loss(disk),),
    )
    return Plan(
        operation="disk.burn-in",
        steps=(step,),
        summary=_summary(disk),
        takes=f"{roughly(_seconds(disk))}, in the background; the disk cannot be used meanwhile",
        findings=findings.all(),
        claims=(f"disk:{disk.id}",),
        confirm=disk.serial,
    )


def _summary(disk: Disk) -> str:
    return sentences(
        f"The {named(disk)} runs a long self-test, then every block of it is overwritten and read back.",
        f"Everything on it is erased: {disk.used_by}." if disk.used_by else "",
    )


def remember(request: BurnInDisk, inventory: Inventory, _actor: str) -> None:
    """From now on the report is followed."""
    disk = inventory.disk(request.disk)
    record = record_of(disk.id) if disk else None
    if disk is None or record is None:
        return
    now = inventory.as_of
    begun = BurnIn(
        serial=request.serial, phase="self-test", percent=0, started_at=now, updated_at=now,
        size_bytes=disk.size_bytes,
    )  # fmt: skip
    DiskRecord.objects.filter(pk=record.pk).update(burn_in=msgspec.to_builtins(begun))
    record_event(record, "burn-in", "Burn-in started")


def _loss(disk: Disk) -> Loss:
    return Loss(
        disk=disk.id, bay=disk.bay, model=disk.model, serial=disk.serial,
        holds=disk.used_by or "nothing known; every block is overwritten",
        size_bytes=disk.size_bytes,
    )  # fmt: skip


def _seconds(disk: Disk) -> float:
    return 2 * disk.size_bytes / _PACE.get(disk.medium, _SLOW_PACE) + 60 * (disk.long_test_minutes or 0)


def _hours(disk: Disk) -> str:
    seconds = _seconds(disk)
    return f"{seconds / 3600:.0f} h" if seconds >= 7200 else f"{seconds / 60:.0f} min"

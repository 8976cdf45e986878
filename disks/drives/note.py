"""disk.note: what a person knows of a disk."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from disks.choice import DiskName, choose
from disks.models import DiskRecord
from disks.records import record_of
from host.inventory import Absent, Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named
from jobs.wording import listed


class NoteDisk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note and dates, as a whole: what is left out is empty afterwards. Also for a disk that left."""

    disk: DiskName
    note: Annotated[str, Meta(max_length=4000)] = ""
    purchased: date | None = None
    warranty_until: date | None = None


def plan(request: NoteDisk, inventory: Inventory) -> Plan:
    """Raises `Refused` for a disk that nobody ever saw, and for dates that make no sense."""
    findings = Findings()
    left = next((absent for absent in inventory.gone if absent.id == request.disk), None)
    disk_id = left.id if left else choose(request.disk, None, inventory, findings).id
    if any(not letter.isprintable() and letter not in "\n\t\r" for letter in request.note):
        findings.error("bad-characters", "note", "Use printable characters and line breaks only.")
    if request.purchased and request.warranty_until and request.warranty_until < request.purchased:
        message = "The warranty ends before the disk was bought."
        findings.error("dates-reversed", "warranty_until", message)
    findings.refuse_on_error()
    disk = left or choose(request.disk, None, inventory, findings)
    title = f"Save a note on the disk with serial {disk.serial or 'unknown'}"
    return Plan(
        operation="disk.note",
        steps=(Step(title=title, commands=()),),
        summary=_summary(request, disk),
        claims=(f"disk:{disk_id}",),
    )


def _summary(request: NoteDisk, disk: Absent | Disk) -> str:
    which = named(disk) if isinstance(disk, Disk) else f"disk {disk.serial or disk.model} (removed)"
    wanted = {
        "your note": request.note,
        "the date of purchase": request.purchased,
        "the end of the warranty": request.warranty_until,
    }
    saved = [words for words, value in wanted.items() if value]
    if not saved:
        return f"The note, the date of purchase and the end of the warranty of the {which} are removed."
    return f"The console saves {listed(saved)} for the {which}. The previous note is replaced."


def remember(request: NoteDisk, inventory: Inventory, _actor: str) -> None:
    """Write it."""
    disk = inventory.disk(request.disk)
    record = record_of(disk.id if disk else request.disk)
    if record is not None:
        DiskRecord.objects.filter(pk=record.pk).update(
            note=request.note, purchased=request.purchased, warranty_until=request.warranty_until
        )

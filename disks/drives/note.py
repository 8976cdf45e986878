"""disk.note: what a person knows of a disk."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from disks.choice import DiskName, choose
from disks.models import DiskRecord
from disks.records import record_of
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings


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
    serial = left.serial if left else choose(request.disk, None, inventory, findings).serial
    title = f"Keep a note on the disk with serial {serial or 'unknown'}"
    return Plan(operation="disk.note", steps=(Step(title=title, commands=()),), claims=(f"disk:{disk_id}",))


def remember(request: NoteDisk, inventory: Inventory, _actor: str) -> None:
    """Write it."""
    disk = inventory.disk(request.disk)
    record = record_of(disk.id if disk else request.disk)
    if record is not None:
        DiskRecord.objects.filter(pk=record.pk).update(
            note=request.note, purchased=request.purchased, warranty_until=request.warranty_until
        )

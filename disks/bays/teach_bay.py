"""bays.teach: this disk is in this bay."""

from __future__ import annotations

from typing import Literal

import msgspec

from disks.bays.slots import disk_of_slots, known_slots
from disks.bays.stored import store_teachings, stored
from disks.choice import DiskName, SerialText, choose, in_words
from disks.layout import Label, Teaching
from disks.models import DiskRecord
from disks.records import record_of
from host.inventory import Bay, Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences

By = Literal["auto", "slot", "port", "serial"]


class TeachBay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Remember that a disk sits in a bay, by its slot, port or serial; `auto` takes the first it has.

    By slot or port the bay is known for any disk that is put there, by serial for this disk alone.
    """

    bay: Label
    disk: DiskName
    serial: SerialText | None  # the disk's, to be sure that it is meant; null where it has none
    by: By = "auto"


def plan(request: TeachBay, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown bay, a disk of another serial, or evidence that it has not."""
    findings = Findings()
    if inventory.chassis is None:
        findings.refuse("no-chassis", "", "Set the chassis first: PUT /api/v1/chassis/.")
    place = inventory.seat(request.bay)
    if place is None:
        findings.error("unknown-bay", "bay", f"The chassis has no bay “{request.bay}”.")
    disk = choose(request.disk, request.serial, inventory, findings)
    if request.serial is None and disk.serial is not None:
        findings.error("wrong-serial", "serial", f"Give its serial: {disk.serial}.")
    teaching = _evidence(request, disk, inventory, findings)
    findings.refuse_on_error()
    assert place is not None and teaching is not None  # noqa: S101 - refused otherwise
    _warn(place, disk, inventory, findings)
    step = Step(title=f"Save that bay {place.label} is {_words(teaching)}: {in_words(disk)}", commands=())
    return Plan(
        operation="bays.teach",
        steps=(step,),
        summary=_summary(place, disk, teaching, inventory),
        findings=findings.all(),
        claims=("chassis:case",),
    )


def _summary(place: Bay, disk: Disk, teaching: Teaching, inventory: Inventory) -> str:
    other = inventory.disk(place.disk) if place.disk is not None and place.disk != disk.id else None
    moves = f" instead of bay {disk.bay}" if disk.bay not in {None, place.label} else ""
    return sentences(
        f"The disk {disk.serial or disk.model} is shown in bay {place.label}{moves}.",
        "A different disk put there is not recognised until you assign it as well."
        if teaching.serial
        else "Any disk put there later is shown there as well.",
        f"The disk {other.serial or other.model} is no longer shown there." if other else "",
    )


def remember(request: TeachBay, inventory: Inventory, _actor: str) -> None:
    """Store it in place of whatever else was known of this bay, of this evidence and of this disk."""
    disk = inventory.disk(request.disk)
    teaching = _evidence(request, disk, inventory, Findings()) if disk else None
    if disk is None or teaching is None:
        return
    kept = [other for old in stored().teachings if (other := _without(old, teaching, disk)) is not None]
    store_teachings((*kept, teaching))
    if record := record_of(disk.id):  # whoever says where it is knows it already
        bays = record.bays if request.bay in record.bays else [*record.bays, request.bay]
        DiskRecord.objects.filter(pk=record.pk).update(bays=bays, fresh_in="")


def _evidence(request: TeachBay, disk: Disk, inventory: Inventory, findings: Findings) -> Teaching | None:
    """The teaching that is asked for, or what is missing for it."""
    in_slots = disk_of_slots(known_slots(inventory.enclosures), inventory.disks)
    slot = next((key for key, held in in_slots.items() if held.id == disk.id), None)
    ports = [other.id for other in inventory.disks if disk.port and other.port == disk.port]
    if slot and request.by in {"auto", "slot"}:
        return Teaching(bay=request.bay, enclosure=slot[0], slot=slot[1])
    if any(place.disk == disk.id and place.known_by == "enclosure" for place in inventory.bays):
        findings.error(
            "weaker-evidence", "by", "Its enclosure reports its slot, which takes precedence: use that."
        )
    if len(ports) == 1 and request.by in {"auto", "port"}:
        return Teaching(bay=request.bay, port=disk.port)
    if disk.serial and not disk.twins and request.by in {"auto", "serial"}:
        findings.info("by-serial", "by", "Another disk in this bay will not be recognised.")
        return Teaching(bay=request.bay, serial=disk.serial)
    what = {"slot": "slot", "port": "port of its own", "serial": "serial of its own"}
    message = (
        f"This disk has no {what.get(request.by, 'slot, port or serial of its own')} that identifies it."
    )
    findings.error("no-evidence", "by", message)
    return None


def _without(old: Teaching, new: Teaching, disk: Disk) -> Teaching | None:
    """`old` less what `new` says otherwise; None where nothing is left of it."""
    if old.bay == new.bay:
        return None
    same_slot = old.slot is not None and (old.enclosure, old.slot) == (new.enclosure, new.slot)
    left = msgspec.structs.replace(
        old,
        enclosure=None if same_slot else old.enclosure,
        slot=None if same_slot else old.slot,
        port=None if old.port == disk.port else old.port,
        serial=None if old.serial == disk.serial else old.serial,
    )
    return left if (left.slot, left.port, left.serial) != (None, None, None) else None


def _warn(place: Bay, disk: Disk, inventory: Inventory, findings: Findings) -> None:
    if place.disk is not None and place.disk != disk.id:
        other = inventory.disk(place.disk)
        serial = other.serial if other else None
        message = f"Bay {place.label} has held the disk with serial {serial or 'unknown'} so far."
        findings.warning("bay-taken", "bay", message)
    if disk.bay is not None and disk.bay != place.label:
        findings.info("moves", "disk", f"So far this disk is shown in bay {disk.bay}.")


def _words(teaching: Teaching) -> str:
    if teaching.slot is not None:
        return f"slot {teaching.slot} of enclosure {teaching.enclosure}"
    return f"port {teaching.port}" if teaching.port else f"where serial {teaching.serial} is"

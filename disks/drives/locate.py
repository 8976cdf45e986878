"""disk.locate: make a disk show itself, for a while."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta

from disks.bays.slots import slot_of_disk
from disks.choice import DiskName, SerialText, choose, in_words
from disks.layout import Label
from disks.lights import switch
from disks.models import DiskRecord
from disks.records import record_of
from host.commands.closed import AnyCommand
from host.commands.units import StartBlink, StopUnit, unit_serial
from host.inventory import Disk, Inventory, leaves
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named
from jobs.wording import counted

_BROKEN = {"FAULTED", "UNAVAIL", "REMOVED"}


class LocateDisk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let a disk's light blink for some seconds, or end that. `bay` is where it sits, null in no known bay.

    A slot has a light of its own where its enclosure or ledctl says so; elsewhere the disk's activity light
    is made to flicker.
    """

    disk: DiskName
    serial: SerialText
    bay: Label | None = None
    on: bool = True
    seconds: Annotated[int, Meta(ge=1, le=600)] = 60


def plan(request: LocateDisk, inventory: Inventory) -> Plan:
    """Raises `Refused` where serial and bay do not belong to the disk, or where it cannot blink."""
    findings = Findings()
    disk = choose(request.disk, request.serial, inventory, findings)
    if request.bay != disk.bay:
        place = f"in bay {disk.bay}" if disk.bay else "in no known bay"
        message = f"The disk with serial {disk.serial} is {place}, not in {request.bay or 'none'}."
        findings.error("wrong-bay", "bay", message)
    light = light_of(disk, inventory)
    if not light:
        _check_blinking(disk, request, inventory, findings)
    findings.refuse_on_error()
    commands = (switch(light, on=request.on),) if light else _with_unit(disk, request, inventory)
    what = "slot light" if light else "activity light"
    title = f"Blink the {what} for {request.seconds} s, {in_words(disk)}"
    if not request.on:
        title = f"Stop blinking the {what}, {in_words(disk)}"
    return Plan(
        operation="disk.locate",
        steps=(Step(title=title, commands=commands),),
        summary=_summary(request, disk, what),
        findings=findings.all(),
        claims=(f"disk:{disk.id}",),
    )


def _summary(request: LocateDisk, disk: Disk, light: str) -> str:
    if not request.on:
        return f"The {light} of the {named(disk)} stops blinking."
    return f"The {light} of the {named(disk)} blinks for {counted(request.seconds, 'second')}."


def remember(request: LocateDisk, inventory: Inventory, _actor: str) -> None:
    """When the light must be off again."""
    disk = inventory.disk(request.disk)
    record = record_of(disk.id) if disk else None
    if disk is None or record is None:
        return
    until = timezone.now() + timedelta(seconds=request.seconds) if request.on else None
    path = light_of(disk, inventory) if request.on else ""
    DiskRecord.objects.filter(pk=record.pk).update(located_until=until, light_path=path)


def light_of(disk: Disk, inventory: Inventory) -> str:
    """Which light can show `disk`: the path of its slot in an enclosure, or the disk's own link where ledctl
    has a light for it. Empty where there is none, or where it is in doubt.
    """
    slot = slot_of_disk(disk, inventory.enclosures)
    alone = [other for other in inventory.disks if other.hctl == disk.hctl] == [disk]
    if slot and slot.locating is not None and alone:
        return slot.path
    return disk.link if disk.led is not None and disk.links and not disk.twins else ""


def _with_unit(disk: Disk, request: LocateDisk, inventory: Inventory) -> tuple[AnyCommand, ...]:
    serial = unit_serial(disk.serial) or ""
    stop = StopUnit(kind="blink", serial=serial)
    if not request.on:
        return (stop,)
    start = StartBlink(disk=disk.link, serial=serial, seconds=request.seconds)
    running = any(unit.kind == "blink" and unit.serial == serial for unit in inventory.units)
    return (stop, start) if running else (start,)


def _check_blinking(disk: Disk, request: LocateDisk, inventory: Inventory, findings: Findings) -> None:
    if unit_serial(disk.serial) is None:
        findings.error(
            "odd-serial",
            "serial",
            "Its serial contains characters that cannot be used in the name of a unit.",
        )
    if not request.on:
        return
    if disk.twins:
        message = f"{disk.twins[0]} reports the same serial, so the wrong one of the two could blink."
        findings.error("twins", "serial", message)
    if disk.asleep:
        message = (
            "The disk is asleep. Its activity light only blinks when the disk is read, which would wake it."
        )
        findings.error("asleep", "disk", message)
    states = {leaf.state for pool in inventory.pools for vdev in pool.vdevs for leaf in leaves(vdev)
              if leaf.disk == disk.id}  # fmt: skip
    if broken := sorted(states & _BROKEN):
        message = f"The disk is {broken[0]} in its pool. Reading it now could make things worse."
        findings.error("faulted", "disk", message)

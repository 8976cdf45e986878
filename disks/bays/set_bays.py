"""bays.set: all that is known of the bays, at once."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from disks.bays.slots import disk_of_slots, known_slots
from disks.bays.stored import store_teachings
from disks.layout import MOST_BAYS, Teaching, check_teachings
from host.inventory import Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import bays, sentences


class SetBays(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Say for each bay which slot, port or serial it is. Bays that are left out are forgotten."""

    bays: Annotated[tuple[Teaching, ...], Meta(max_length=MOST_BAYS)]


def plan(request: SetBays, inventory: Inventory) -> Plan:
    """Raises `Refused` for bays that are not there, and for evidence that is given twice."""
    findings = Findings()
    if inventory.chassis is None:
        findings.refuse("no-chassis", "", "Set the chassis first: PUT /api/v1/chassis/.")
    check_teachings(request.bays, tuple(bay.label for bay in inventory.bays), findings)
    findings.refuse_on_error()
    warn_of_contradictions(request.bays, inventory, findings)
    return Plan(
        operation="bays.set",
        steps=(step(request.bays),),
        summary=_summary(request, inventory),
        findings=findings.all(),
        claims=("chassis:case",),
    )


def _summary(request: SetBays, inventory: Inventory) -> str:
    named = [teaching.bay for teaching in request.bays]
    lost = [bay.label for bay in inventory.bays if bay.taught and bay.label not in named]
    if not named:
        return "The console forgets which slot, port or serial number belongs to each bay."
    return sentences(
        f"The console recognises {bays(named)} by the slot, port or serial number given here.",
        f"It no longer knows which disks are in {bays(lost)}." if lost else "",
    )


def remember(request: SetBays, _inventory: Inventory, _actor: str) -> None:
    """Store it."""
    store_teachings(request.bays)


def step(teachings: tuple[Teaching, ...]) -> Step:
    """What is remembered, in words."""
    count = "no bay" if not teachings else "1 bay" if len(teachings) == 1 else f"{len(teachings)} bays"
    return Step(title=f"Save the mapping of {count}, and delete all others", commands=())


def warn_of_contradictions(teachings: tuple[Teaching, ...], inventory: Inventory, findings: Findings) -> None:
    """Tell where what is taught does not fit the disks that are here now."""
    places: dict[str, str] = {}  # disk id → bay
    for index, teaching in enumerate(teachings):
        for disk in _named(teaching, inventory):
            other = places.setdefault(disk.id, teaching.bay)
            if other != teaching.bay:
                message = (
                    f"The disk with serial {disk.serial or 'unknown'} is given for both {other} and "
                    f"{teaching.bay}; its slot takes precedence over its port, and its port over its "
                    "serial."
                )
                findings.warning("contradiction", f"bays[{index}]", message)
        if len({disk.id for disk in _named(teaching, inventory)}) > 1:
            message = (
                f"Different disks are given for {teaching.bay}; the slot takes precedence, then the port."
            )
            findings.warning("contradiction", f"bays[{index}]", message)


def _named(teaching: Teaching, inventory: Inventory) -> list[Disk]:
    """The disks that the evidence leads to now."""
    slots = disk_of_slots(known_slots(inventory.enclosures), inventory.disks)
    found = [slots.get((teaching.enclosure or "", -1 if teaching.slot is None else teaching.slot))]
    for name, wanted in (("port", teaching.port), ("serial", teaching.serial)):
        fitting = [disk for disk in inventory.disks if wanted is not None and getattr(disk, name) == wanted]
        found.append(fitting[0] if len(fitting) == 1 else None)
    return [disk for disk in found if disk is not None]

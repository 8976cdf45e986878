"""disk.stop-burn-in: end a burn-in before it is through."""

from __future__ import annotations

import msgspec

from disks.choice import DiskName, SerialText, choose, in_words
from host.commands.units import StopUnit
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named


class StopBurnIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop the burn-in of a disk. What was tested so far is kept in its report."""

    disk: DiskName
    serial: SerialText | None = None


def plan(request: StopBurnIn, inventory: Inventory) -> Plan:
    """Raises `Refused` where none runs."""
    findings = Findings()
    disk = choose(request.disk, request.serial, inventory, findings)
    unit = next((u for u in inventory.units if u.kind == "burn-in" and u.serial == disk.serial), None)
    if unit is None:
        findings.refuse("no-burn-in", "disk", "No burn-in of this disk is running.")
    step = Step(
        title=f"Stop the burn-in, {in_words(disk)}", commands=(StopUnit(kind="burn-in", serial=unit.serial),)
    )
    summary = (
        f"The burn-in of the {named(disk)} stops, and its report covers what was tested so far. "
        "The disk stays erased, and another burn-in starts from the beginning."
    )
    return Plan(operation="disk.stop-burn-in", steps=(step,), summary=summary, claims=(f"disk:{disk.id}",))

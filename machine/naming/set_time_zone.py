"""machine.set-time-zone: the machine's time zone."""

from __future__ import annotations

import functools
from typing import Annotated
from zoneinfo import available_timezones

import msgspec
from msgspec import Meta

from host.commands.naming import SetTimeZone
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings


class ChangeTimeZone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set the time zone `time_zone`, by its name in the IANA's database, such as Europe/Berlin."""

    time_zone: Annotated[str, Meta(max_length=100)]


@functools.cache
def zones() -> tuple[str, ...]:
    """All that can be chosen: regions with their cities, and UTC."""
    named = {zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/")}
    return ("UTC", *sorted(named))


def plan(request: ChangeTimeZone, inventory: Inventory) -> Plan:
    """Raises `Refused` for a zone that is not known, or where nothing would differ."""
    findings = Findings()
    zone = request.time_zone
    if zone not in zones():
        message = "Choose a zone by its name, such as Europe/Berlin, America/New_York or UTC."
        findings.refuse("unknown-zone", "time_zone", message)
    if zone == inventory.naming.time_zone:
        findings.refuse("nothing-changes", "time_zone", "The machine already uses this time zone.")
    if inventory.schedules:
        message = "Existing schedules and policies keep the time zone they were created with."
        findings.info("schedules-stay", "time_zone", message)
    before = inventory.naming.time_zone
    step = Step(
        title=f"Set the time zone to {zone}",
        commands=(SetTimeZone(zone=zone),),
        undo=(SetTimeZone(zone=before),) if before else (),
    )
    return Plan(
        operation="machine.set-time-zone",
        steps=(step,),
        summary=_summary(zone, inventory),
        findings=findings.all(),
        claims=("machine:clock",),
    )


def _summary(zone: str, inventory: Inventory) -> str:
    before = inventory.naming.time_zone
    was = f" instead of {before}" if before else ""
    stay = " Schedules and snapshot policies that exist keep their time zone." if inventory.schedules else ""
    return f"The machine's time zone becomes {zone}{was}.{stay}"

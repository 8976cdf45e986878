"""schedule.delete: remove a schedule for good."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory, Schedule
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.schedules import stored
from jobs.schedules.change import ScheduleId, described, find, work_of


class DeleteSchedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delete a schedule. One that was there by itself does not come again."""

    id: ScheduleId


def plan(request: DeleteSchedule, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown schedule."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    if known.operation == "pool.scrub":
        message = "Without scrubs, damage is found only when a file is read, perhaps when it is too late."
        findings.warning("never-scrubbed", "id", message)
    step = Step(title=f"Delete the schedule of {described(known)}", commands=())
    return Plan(
        operation="schedule.delete",
        steps=(step,),
        summary=_summary(known),
        findings=findings.all(),
        claims=(f"schedule:{known.id}",),
    )


def _summary(known: Schedule) -> str:
    result = f"The {work_of(known)} no longer runs, and does not come back by itself."
    if known.operation != "pool.scrub":
        return result
    return f"{result} Damage is then found only when a file is read or when you start a scrub."


def remember(request: DeleteSchedule, _inventory: Inventory, actor: str) -> None:
    """Delete the row; a default stays as deleted, so that it is not made again."""
    stored.remove(request.id, actor)

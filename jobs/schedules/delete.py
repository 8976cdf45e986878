"""schedule.delete: remove a schedule for good."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.schedules import stored
from jobs.schedules.change import ScheduleId, described, find


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
        findings=findings.all(),
        claims=(f"schedule:{known.id}",),
    )


def remember(request: DeleteSchedule, _inventory: Inventory, actor: str) -> None:
    """Delete the row; a default stays as deleted, so that it is not made again."""
    stored.remove(request.id, actor)

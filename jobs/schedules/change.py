"""schedule.change: other times, another rule, paused or going on."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from host.inventory import Inventory, Schedule
from host.inventory.schedules import MissedRule
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.schedules import cron, stored
from jobs.schedules.words import afterwards

CronText = Annotated[str, Meta(max_length=200)]
ZoneText = Annotated[str, Meta(max_length=64)]
AgeDays = Annotated[int, Meta(ge=1, le=3650)]
ScheduleId = Annotated[int, Meta(ge=1, le=1 << 53)]


class ChangeSchedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given and keep the rest. `enabled` false pauses it. `cron` has five fields, all of
    which must fit; `missed` says what to do about a time at which the machine was off."""

    id: ScheduleId
    cron: CronText | UnsetType = UNSET
    time_zone: ZoneText | UnsetType = UNSET
    missed: MissedRule | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    longest_age_days: AgeDays | UnsetType | None = UNSET


def plan(request: ChangeSchedule, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown schedule, and for a cron line or time zone that cannot be used."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    changes = _changes(request)
    if not changes:
        findings.error("nothing-to-change", "", "Nothing to change.")
    changed = msgspec.structs.replace(known, **changes)
    cron.check(changed.cron, changed.time_zone, findings)
    findings.refuse_on_error()
    step = Step(title=f"Change the schedule of {described(known)}: {', '.join(sorted(changes))}", commands=())
    return Plan(
        operation="schedule.change",
        steps=(step,),
        summary=afterwards(f"The {work_of(known)}", changed, inventory),
        findings=findings.all(),
        claims=(f"schedule:{known.id}",),
    )


def remember(request: ChangeSchedule, _inventory: Inventory, actor: str) -> None:
    """Store the change."""
    stored.change(request.id, _changes(request), actor)


def find(schedule_id: int, inventory: Inventory, findings: Findings) -> Schedule:
    """The schedule with that id. Raises `Refused` where there is none."""
    known = next((schedule for schedule in inventory.schedules if schedule.id == schedule_id), None)
    if known is None:
        findings.refuse("unknown-schedule", "id", "There is no such schedule.")
    return known


def described(schedule: Schedule) -> str:
    """`pool.scrub tank`."""
    return f"{schedule.operation} {schedule.request.get('name', '')}".strip()


def work_of(schedule: Schedule) -> str:
    """`scheduled scrub of tank`, for summaries."""
    return f"scheduled {schedule.operation.rpartition('.')[2]} of {schedule.request.get('name', 'a pool')}"


def _changes(request: ChangeSchedule) -> dict[str, object]:
    given = msgspec.structs.asdict(request)
    return {name: value for name, value in given.items() if name != "id" and value is not UNSET}

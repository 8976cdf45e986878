"""replication.change: other times, limits or exclusions; paused or going on."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.db import transaction
from msgspec import UNSET, Meta, UnsetType

from host.inventory import Inventory
from host.replication.values import Replication
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.schedules import stored as schedules
from jobs.schedules.models import StoredSchedule
from replication.models import TaskRow
from replication.replications.create import AimHours, check_pull, keep_words, said_source
from replication.replications.times import next_words, schedule_of, spec_of, subject_of
from replication.replications.wanted import (
    NameText,
    Text,
    WantedLimit,
    WantedRetention,
    WantedTimes,
    check_name,
    check_source,
    check_times,
    guids_of,
    limits_of,
    retention_of,
)
from replication.stored import value_of

TaskNumber = Annotated[int, Meta(ge=1, le=1 << 53)]
_OWN = ("id", "limits", "keep", "schedule")  # fields that are no fields of `Replication` as they are


class ChangeReplication(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given and keep the rest. Its source, its target and whether it is raw stay for good: a
    replica cannot go on otherwise. `schedule` null: it no longer runs by itself."""

    id: TaskNumber
    name: NameText | UnsetType = UNSET
    recursive: bool | UnsetType = UNSET
    excluded: Annotated[tuple[Text, ...], Meta(max_length=200)] | UnsetType = UNSET
    own_snapshots: bool | UnsetType = UNSET
    after_snapshots: bool | UnsetType = UNSET
    limits: Annotated[tuple[WantedLimit, ...], Meta(max_length=10)] | UnsetType = UNSET
    keep: WantedRetention | UnsetType | None = UNSET
    schedule: WantedTimes | UnsetType | None = UNSET
    aim_hours: AimHours | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


def plan(request: ChangeReplication, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown replication, and for values that cannot be."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    given = msgspec.structs.asdict(request)
    changed = [name for name, value in given.items() if name != "id" and value is not UNSET]
    if not changed:
        findings.error("nothing-to-change", "", "Nothing to change.")
    wanted = _changed(request, known, inventory, findings)
    check_name(wanted.name, inventory, findings, own=known.id)
    if {"recursive", "excluded"} & set(changed):
        check_source(wanted, inventory, findings)  # all else may change while it is away
    if (target := inventory.replicating.target(known.target_id)) is not None:
        check_pull(wanted, target, findings)
    times = None if request.schedule is UNSET else request.schedule
    check_times(times, findings)
    findings.refuse_on_error()
    step = Step(title=f"Change the replication {known.name}: {', '.join(sorted(changed))}", commands=())
    return Plan(
        operation="replication.change",
        steps=(step,),
        summary=sentences(
            f"{said_source(wanted)} is replicated to {wanted.target}."
            if wanted.enabled
            else f"The replication {wanted.name} is paused until you resume it.",
            (keep_words(wanted) if request.keep else "") or next_words(wanted, times, inventory)
            if wanted.enabled
            else "",
        ),
        findings=findings.all(),
        claims=(f"replication:{known.name}",),
    )


def remember(request: ChangeReplication, inventory: Inventory, actor: str) -> None:
    """Store the change, and that of its schedule."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    wanted = _changed(request, known, inventory, findings)
    with transaction.atomic():
        TaskRow.objects.filter(pk=known.id).update(name=wanted.name, value=value_of(wanted))
        schedule = schedule_of(known, inventory)
        if request.schedule is None:
            StoredSchedule.objects.filter(subject=subject_of(known)).delete()
        elif request.schedule is not UNSET:
            schedules.keep(spec_of(wanted, request.schedule), actor)
        elif schedule is not None and (wanted.enabled, wanted.name) != (known.enabled, known.name):
            changes = {"enabled": wanted.enabled, "request": {"name": wanted.name}}
            schedules.change(schedule.id, changes, actor)


def find(number: int, inventory: Inventory, findings: Findings) -> Replication:
    """Raises `Refused` where there is none of that number."""
    found = next((one for one in inventory.replicating.tasks if one.id == number), None)
    if found is None:
        findings.refuse("unknown-replication", "id", "There is no such replication.")
    return found


def _changed(
    request: ChangeReplication, known: Replication, inventory: Inventory, findings: Findings
) -> Replication:
    given = msgspec.structs.asdict(request)
    changes = {name: value for name, value in given.items() if name not in _OWN and value is not UNSET}
    if not isinstance(request.excluded, UnsetType) and not known.pull:
        changes["excluded_guids"] = guids_of(request.excluded, inventory)
    if not isinstance(request.limits, UnsetType):
        changes["limits"] = limits_of(request.limits, findings)
    if not isinstance(request.keep, UnsetType):
        changes["retention"] = retention_of(request.keep, findings)
    return msgspec.structs.replace(known, **changes)

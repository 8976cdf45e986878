"""replication.create: what is to be replicated where, and when."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.db import transaction
from msgspec import Meta

from host.inventory import Inventory
from host.replication.values import Replication, Target
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.schedules import stored as schedules
from jobs.wording import counted, listed
from replication.models import TaskRow
from replication.replications.times import next_words, spec_of
from replication.replications.wanted import (
    NameText,
    Text,
    WantedLimit,
    WantedRetention,
    WantedTimes,
    check_name,
    check_source,
    check_target,
    check_times,
    guids_of,
    limits_of,
    new_key,
    retention_of,
)
from replication.stored import value_of

AimHours = Annotated[int, Meta(ge=1, le=24 * 400)]


class CreateReplication(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Replicate `source` to `target`, one of the targets by its name.

    `dataset` is where the replica goes, by itself below the target's own dataset. `raw` sends what is
    encrypted without its key ever leaving. With `own_snapshots` each run takes one; else it sends those that
    policies and people take. It runs by `schedule`, with `after_snapshots` after each run of the snapshot
    policies, or when somebody asks. The replica keeps all its snapshots, or as `keep` says. `pull`: from the
    target to this machine. An alert comes once the newest copy is older than `aim_hours`.
    """

    name: NameText
    source: Text
    target: NameText
    dataset: Text | None = None
    pull: bool = False
    recursive: bool = True
    excluded: Annotated[tuple[Text, ...], Meta(max_length=200)] = ()
    raw: bool = True
    properties: bool = True
    own_snapshots: bool = False
    after_snapshots: bool = False
    limits: Annotated[tuple[WantedLimit, ...], Meta(max_length=10)] = ()
    keep: WantedRetention | None = None
    schedule: WantedTimes | None = None
    aim_hours: AimHours = 26


def plan(request: CreateReplication, inventory: Inventory) -> Plan:
    """Raises `Refused` for what does not exist, cannot be, or would run in a circle."""
    findings = Findings()
    check_name(request.name, inventory, findings)
    target = find_target(request.target, inventory, findings)
    findings.refuse_on_error()
    wanted = _wanted(request, target, inventory, findings)
    source = check_source(wanted, inventory, findings)
    check_target(wanted, target, source, inventory, findings)
    check_times(request.schedule, findings)
    check_pull(wanted, target, findings)
    findings.refuse_on_error()
    if not (request.schedule or request.after_snapshots):
        findings.info("never-by-itself", "schedule", "It only runs when somebody starts it.")
    step = Step(
        title=f"Remember to replicate {wanted.source} to {wanted.target} on {target.name}", commands=()
    )
    return Plan(
        operation="replication.create",
        steps=(step,),
        summary=sentences(
            f"{said_source(wanted)} is replicated to {wanted.target} on {target.name}, from its first run "
            "on.",
            keep_words(wanted) or next_words(wanted, request.schedule, inventory),
        ),
        findings=findings.all(),
        claims=(f"replication:{request.name}",),
    )


def remember(request: CreateReplication, inventory: Inventory, actor: str) -> None:
    """Store it with its schedule."""
    findings = Findings()
    target = find_target(request.target, inventory, findings)
    wanted = _wanted(request, target, inventory, findings)
    with transaction.atomic():
        TaskRow.objects.create(name=wanted.name, key=wanted.key, target_id=target.id, value=value_of(wanted))
        if request.schedule is not None:
            schedules.keep(spec_of(wanted, request.schedule), actor)


def find_target(name: str, inventory: Inventory, findings: Findings) -> Target:
    """Raises `Refused` where there is none of that name."""
    found = next((one for one in inventory.replicating.targets if one.name == name), None)
    if found is None:
        findings.refuse("unknown-target", "target", "There is no target of that name. Add it first.")
    return found


def check_pull(wanted: Replication, target: Target, findings: Findings) -> None:
    """Adds a finding where nothing can be pulled."""
    if wanted.pull and target.kind == "pool":
        message = "Between pools of this machine replicas are sent, not pulled: leave “pull” out."
        findings.error("not-remote", "pull", message)
    if wanted.pull and target.kind == "nasweb" and wanted.own_snapshots:
        message = "The other machine takes snapshots of its datasets itself: leave this out."
        findings.error("not-ours", "own_snapshots", message)
    if wanted.pull and wanted.after_snapshots:
        message = "Snapshot policies of the other machine are not known here. Give it a schedule instead."
        findings.error("not-here", "after_snapshots", message)


def keep_words(wanted: Replication) -> str:
    """What becomes of the replica's old snapshots, as a sentence; empty where it keeps all."""
    if wanted.retention is None:
        return ""
    counts = msgspec.structs.asdict(wanted.retention)
    units = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
    spans = listed([counted(counts[name], unit) for name, unit in units.items() if counts[name]])
    return f"There it keeps the last snapshot of each of {spans}; each run deletes its others."


def said_source(wanted: Replication) -> str:
    """The source in words."""
    if not wanted.recursive:
        return wanted.source
    left = f", without {' and '.join(wanted.excluded)}," if wanted.excluded else ""
    return f"{wanted.source} with all below it{left}"


def _wanted(
    request: CreateReplication, target: Target, inventory: Inventory, findings: Findings
) -> Replication:
    source = inventory.dataset(request.source)
    place = request.dataset
    if place is None:
        place = f"{target.dataset}/{request.source.rpartition('/')[2]}"
    return Replication(
        id=0, key=new_key(request.name, inventory.as_of), name=request.name, source=request.source,
        source_guid="" if source is None or request.pull else source.guid, target_id=target.id, target=place,
        pull=request.pull, recursive=request.recursive, excluded=request.excluded, raw=request.raw,
        excluded_guids={} if request.pull else guids_of(request.excluded, inventory),
        properties=request.properties, limits=limits_of(request.limits, findings),
        retention=retention_of(request.keep, findings),
        own_snapshots=request.own_snapshots, after_snapshots=request.after_snapshots,
        aim_hours=request.aim_hours,
    )  # fmt: skip

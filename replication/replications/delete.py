"""replication.delete: it no longer runs, and lets go of what marked its place. The replica stays."""

from __future__ import annotations

import msgspec
from django.db import transaction

from host.commands.replication.runs import ForgetReplication, StopReplication
from host.inventory import Inventory
from host.replication.values import Replication, Target
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.schedules.models import StoredSchedule
from replication.models import TaskRow
from replication.replications.change import TaskNumber, find
from replication.replications.times import subject_of
from replication.replications.wanted import task_of


class DeleteReplication(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delete a replication. `unreachable`: although its target cannot be asked; its marks stay there."""

    id: TaskNumber
    unreachable: bool = False


def plan(request: DeleteReplication, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown replication."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    target = target_of(known, inventory, findings)
    message = f"From then on changes of {known.source} reach {target.name} no more."
    findings.warning("no-copy", "id", message)
    task = task_of(known, target)
    sides = "this machine’s side" if request.unreachable else "the source and the replica"
    forget = ForgetReplication(task=task, here_only=request.unreachable)
    return Plan(
        operation="replication.delete",
        steps=(
            Step(title="Stop it, if it runs", commands=(StopReplication(task=task.id),)),
            Step(title=f"Take its bookmarks and holds off {sides}", commands=(forget,)),
        ),
        summary=sentences(
            f"The replication {known.name} is deleted.",
            f"The replica {known.target} and its snapshots stay as they are.",
        ),
        findings=findings.all(),
        claims=(f"replication:{known.name}",),
    )


def remember(request: DeleteReplication, inventory: Inventory, _actor: str) -> None:
    """Forget it, its history and its schedule."""
    known = find(request.id, inventory, Findings())
    with transaction.atomic():
        StoredSchedule.objects.filter(subject=subject_of(known)).delete()
        TaskRow.objects.filter(pk=known.id).delete()


def target_of(known: Replication, inventory: Inventory, findings: Findings) -> Target:
    """Where it leads. Raises `Refused` where that was removed."""
    target = inventory.replicating.target(known.target_id)
    if target is None:
        findings.refuse("unknown-target", "id", "Its target was removed.")
    return target

"""replication.drop-partial: give up what has arrived of a stream that cannot go on."""

from __future__ import annotations

import msgspec

from host.commands.replication.runs import DropPartial
from host.inventory import Inventory
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from replication.replications.run import known_of
from replication.replications.wanted import NameText, Text, task_of


class DropPartialCopy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of the replica of `source`, one dataset of the replication: its finished snapshots stay."""

    name: NameText
    source: Text


def plan(request: DropPartialCopy, inventory: Inventory) -> Plan:
    """Raises `Refused` for a dataset that does not belong to the replication."""
    findings = Findings()
    known, target = known_of(request.name, inventory, findings)
    task = task_of(known, target)
    if not task.wants(request.source):
        findings.refuse("not-in-it", "source", f"{request.source[:80]} does not belong to {known.name}.")
    replica = task.replica_of(request.source)
    holds = "what has arrived of a stream that was broken off; its finished snapshots stay"
    step = Step(
        title=f"Drop what has arrived of the broken stream to {replica}",
        commands=(DropPartial(task=task, replica=replica),),
        destroys=(Loss(dataset=replica, holds=holds),),
    )
    return Plan(
        operation="replication.drop-partial",
        steps=(step,),
        summary=sentences(
            f"What has arrived of a broken stream to {replica} on {target.name} is dropped.",
            "The next run begins that stream anew; finished snapshots stay.",
        ),
        findings=findings.all(),
        claims=(f"replication:{known.name}",),
        confirm=known.name,
    )

"""replication.run and replication.stop: a run of one task, in a unit that nobody has to wait for."""

from __future__ import annotations

import msgspec

from host.commands.replication.runs import StartReplication, StopReplication
from host.inventory import Inventory
from host.replication.values import Replication, Target
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from replication.models import TaskRow
from replication.replications.create import said_source
from replication.replications.delete import target_of
from replication.replications.direction import sends_from_here, sent, written
from replication.replications.wanted import NameText, task_of


class RunReplication(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bring the replica up to date now."""

    name: NameText


class StopReplicationRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """End the run that is under way. What has arrived stays, and the next run goes on from there."""

    name: NameText


def plan(request: RunReplication, inventory: Inventory) -> Plan:
    """Raises `Refused` where its source or target is not there, or while it runs."""
    findings = Findings()
    known, target = known_of(request.name, inventory, findings)
    source, place = sent(known), written(known)
    if sends_from_here(known, target) and inventory.dataset(source) is None:
        message = f"{source} is not there now. Import its pool first."
        findings.error("source-missing", "name", message)
    if target.kind == "pool" and all(pool.guid != target.pool_guid for pool in inventory.pools):
        message = f"The pool of {target.name} is not imported. Plug its disk in and import it first."
        findings.error("target-away", "name", message)
    if known.running:
        message = f"{known.name} is running already. Wait for its end, or stop it first."
        findings.error("already-running", "name", message)
    findings.refuse_on_error()
    said = source if known.back else said_source(known)
    to = f"{place} on {target.name}" if place == known.target else place
    title = f"Send what {place} does not have yet of {source}"
    return Plan(
        operation="replication.run",
        steps=(Step(title=title, commands=(StartReplication(task=task_of(known, target)),)),),
        summary=sentences(
            f"What {place} does not have yet of {said} is sent to {to}.",
            "Nothing there is rolled back or deleted.",
        ),
        takes=f"as long as it takes, in the background; {source} stays usable",
        findings=findings.all(),
        claims=(f"replication:{known.name}",),
    )


def remember(request: RunReplication, _inventory: Inventory, _actor: str) -> None:
    """Its end is looked for from now on."""
    TaskRow.objects.filter(name=request.name).update(running=True)


def plan_stop(request: StopReplicationRun, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown replication."""
    findings = Findings()
    known, _ = known_of(request.name, inventory, findings)
    return Plan(
        operation="replication.stop",
        steps=(Step(title=f"Stop the run of {known.name}", commands=(StopReplication(task=known.key),)),),
        summary=sentences(
            f"The run of {known.name} ends.", "What has arrived stays, and the next run goes on from there."
        ),
        findings=findings.all(),
        claims=(f"replication:{known.name}",),
    )


def known_of(name: str, inventory: Inventory, findings: Findings) -> tuple[Replication, Target]:
    """The replication of that name with its target. Raises `Refused` where there is none."""
    known = inventory.replicating.task(name)
    if known is None:
        findings.refuse("unknown-replication", "name", "There is no replication of that name.")
    return known, target_of(known, inventory, findings)

"""replication.reverse: a replication leads back, from the replica to its source: after that was lost, or once
the replica was worked with."""

from __future__ import annotations

import msgspec

from host.commands.replication.runs import StartReplication, StopReplication
from host.commands.replication.task import overlapping
from host.inventory import Dataset, Inventory, moving
from host.replication.values import Replication, Target
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.names import dataset_name_fault
from pools.sentences import are, clients_lose
from replication.models import TaskRow
from replication.replications.change import TaskNumber, find
from replication.replications.delete import target_of
from replication.replications.go_live import said
from replication.replications.kept import renamed
from replication.replications.live import in_use, is_quiet, quieting, tree_of
from replication.replications.wanted import Text, task_of
from replication.stored import value_of


class ReverseReplication(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copy the replica back to its source, or to another dataset `into`, which is the source from then on.

    What comes back is read-only until the replication is turned forward again.
    """

    id: TaskNumber
    into: Text | None = None


def plan(request: ReverseReplication, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing can come back to."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    target = target_of(known, inventory, findings)
    if known.back:
        findings.error("leads-back", "id", f"{known.name} leads back already.")
    if known.pull:
        message = (
            f"{known.source} lies on the other machine, which this one may only read. Add this machine as a "
            f"target there, and replicate {known.target} to it from here."
        )
        findings.error("pulled", "id", message)
    findings.refuse_on_error()
    turned = _turned(request, known)
    _check_place(turned.source, known, target, inventory, findings)
    findings.refuse_on_error()
    there = tree_of(turned.source, inventory)
    _say_before(turned.source, there, known, target, inventory, findings)
    steps = [Step(title="Stop it, if it runs", commands=(StopReplication(task=known.key),))]
    live, until = in_use(there), "you turn the replication forward again"
    if live:
        # What is read or written in between would stand in the way of what comes back.
        steps.append(Step(title=f"Make {said(there[0], len(live))} read-only", commands=quieting(live)))
    start = StartReplication(task=task_of(turned, target))
    steps.append(Step(title=f"Copy {known.target} back to {turned.source}", commands=(start,)))
    return Plan(
        operation="replication.reverse",
        steps=tuple(steps),
        summary=sentences(
            f"{known.target} on {target.name} is copied back to {turned.source}, with its snapshots and all "
            "below it.",
            f"{said(there[0], len(live))} {are(len(live))} read-only and not mounted until {until}."
            if live
            else "Nothing is rolled back or deleted, there or here.",
            clients_lose(live, inventory) if live else f"{turned.source} can be written to once {until}.",
        ),
        takes="as long as it takes, in the background",
        findings=findings.all(),
        claims=(f"replication:{known.name}",),
    )


def _say_before(
    source: str,
    there: tuple[Dataset, ...],
    known: Replication,
    target: Target,
    inventory: Inventory,
    findings: Findings,
) -> None:
    """Adds what the owner should know: what stands at the source, and what of the replica comes back."""
    if there:
        message = (
            f"{source} is there: it gets what {known.target} has. Where it has snapshots or changes "
            "that the replica has not, the run stops and says so; nothing is rolled back."
        )
        findings.warning("is-there", "into", message)
    if any(not is_quiet(one) for one in tree_of(known.target, inventory)) and target.kind == "pool":
        message = f"{known.target} can be written to meanwhile. Freeze it before the last run."
        findings.info("replica-live", "id", message)
    if target.kind == "nasweb":
        message = (
            f"If {known.target} was worked with on {target.name}, freeze it there first, on the page of this "
            "machine's pairing: the snapshot that this takes is what comes back."
        )
        findings.info("freeze-there", "id", message)
    elif target.kind == "ssh":
        message = (
            f"What was written to {known.target} on {target.name} after its newest snapshot does not come. "
            "Take one there first, if it was worked with."
        )
        findings.info("snapshot-there", "id", message)


def remember(request: ReverseReplication, inventory: Inventory, _actor: str) -> None:
    """It leads back from now on, and its run is followed."""
    known = find(request.id, inventory, Findings())
    TaskRow.objects.filter(pk=known.id).update(value=value_of(_turned(request, known)), running=True)


def _turned(request: ReverseReplication, known: Replication) -> Replication:
    place = known.source if request.into is None else request.into
    return msgspec.structs.replace(
        known, back=True, source=place, was="" if place == known.source else known.source,
        source_guid=known.source_guid if place == known.source else "",
        kept=renamed(known.kept, known.source, place),
        excluded=tuple(moving.renamed(one, known.source, place) for one in known.excluded),
    )  # fmt: skip


def _check_place(
    place: str, known: Replication, target: Target, inventory: Inventory, findings: Findings
) -> None:
    """Adds findings on `into`: whether something can be received there."""
    pool = place.partition("/")[0]
    if fault := dataset_name_fault(place, spaces=True):
        findings.error("bad-name", "into", fault)
    elif all(one.name != pool for one in inventory.pools):
        message = f"There is no pool {pool}. Create or import it, or copy it back under another name."
        findings.error("unknown-pool", "into", message)
    elif inventory.dataset(place.rpartition("/")[0]) is None:
        message = f"{place.rpartition('/')[0]} is not there. Create it first, or choose another place."
        findings.error("unknown-dataset", "into", message)
    if target.kind == "pool":
        if overlapping(place, known.target):
            message = "The replica and the place it is copied back to must not lie within each other."
            findings.error("within-itself", "into", message)
        if inventory.dataset(known.target) is None:
            message = f"{known.target} is not there. Import its pool first."
            findings.error("replica-missing", "id", message)

"""replication.forward: what came back goes live, and is replicated again as before."""

from __future__ import annotations

import msgspec

from host.commands.replication.runs import StartReplication, StopReplication
from host.inventory import Inventory
from host.replication.values import Replication
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from replication.models import TaskRow
from replication.replications.change import TaskNumber, find
from replication.replications.delete import target_of
from replication.replications.go_live import said
from replication.replications.live import is_quiet, mounts, tree_of, waking
from replication.replications.wanted import task_of
from replication.stored import value_of


class ForwardReplication(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let what came back be written to and mounted, with the limits, places and snapshot policies that it
    had, and replicate it again."""

    id: TaskNumber


def plan(request: ForwardReplication, inventory: Inventory) -> Plan:
    """Raises `Refused` while it does not lead back, a run is under way, or the replica can be written to."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    target = target_of(known, inventory, findings)
    if not known.back:
        findings.refuse("leads-forward", "id", f"{known.name} does not lead back.")
    tree = tree_of(known.source, inventory)
    if not tree:
        message = f"{known.source} is not there yet. Run {known.name} until all has come back."
        findings.error("nothing-back", "id", message)
    _check_run(known, findings)
    replica = tree_of(known.target, inventory)
    if target.kind == "pool" and any(not is_quiet(one) for one in replica):
        message = f"{known.target} can still be written to. Freeze it, and run {known.name} once more."
        findings.error("replica-live", "id", message)
    findings.refuse_on_error()
    changed = [one for one in tree if is_quiet(one)]
    mounted, left = mounts(tree, known.kept)
    for one in left:
        findings.info("not-mounted", "id", one)
    commands = waking(changed, known.kept, foreign=target.kind != "pool")
    turned = _turned(known, inventory)
    return Plan(
        operation="replication.forward",
        steps=tuple(
            step
            for step in (
                Step(title=f"Let {said(tree[0], len(changed))} be written to", commands=commands),
                Step(title=f"Mount {counted(len(mounted), 'file system')}", commands=mounted),
                Step(
                    title=f"Replicate it to {target.name} again",
                    commands=(
                        StopReplication(task=known.key),
                        StartReplication(task=task_of(turned, target)),
                    ),
                ),
            )
            if step.commands
        ),
        summary=sentences(
            f"{said(tree[0], len(tree))} is live: it can be written to and is mounted.",
            f"From then on its changes go to {known.target} on {target.name} again.",
        ),
        findings=findings.all(),
        claims=(f"replication:{known.name}", f"dataset:{known.source}"),
    )


def remember(request: ForwardReplication, inventory: Inventory, _actor: str) -> None:
    """It leads to its replica again, and its run is followed."""
    known = find(request.id, inventory, Findings())
    TaskRow.objects.filter(pk=known.id).update(value=value_of(_turned(known, inventory)), running=True)


def _turned(known: Replication, inventory: Inventory) -> Replication:
    source = inventory.dataset(known.source)
    guid = known.source_guid if source is None else source.guid
    return msgspec.structs.replace(known, back=False, source_guid=guid, was="")


def brings_back(request: ForwardReplication, inventory: Inventory) -> dict[str, str]:
    """By the names of what was lost."""
    known = find(request.id, inventory, Findings())
    lost = known.was or known.source
    return {
        f"{lost}{one.name.removeprefix(known.source)}": one.name for one in tree_of(known.source, inventory)
    }


def _check_run(known: Replication, findings: Findings) -> None:
    if known.running:
        message = f"{known.name} is being copied back at this moment. Wait for its end, or stop it."
        findings.error("running", "id", message)
    elif known.verdict != "done":
        message = (
            f"Its last run did not bring everything back. Once {known.source} was written to, the rest "
            "cannot follow."
        )
        findings.warning("not-whole", "id", message)

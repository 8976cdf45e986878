"""replication.go-live: a replica on this machine becomes what its source was, to be worked with."""

from __future__ import annotations

import msgspec

from host.commands.replication.task import overlapping, within
from host.inventory import Dataset, Inventory
from host.replication.values import Pairing
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.sentences import are
from replication.replications.direction import receives_here, written
from replication.replications.live import is_quiet, known_tree, mounts, waking
from replication.replications.wanted import Text


class GoLive(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let `dataset` and all below it be written to and mounted again, while its source is lost or away."""

    dataset: Text


def plan(request: GoLive, inventory: Inventory) -> Plan:
    """Raises `Refused` while a replication of this machine writes there, and for what is no replica."""
    findings = Findings()
    tree = known_tree(request.dataset, inventory, findings)
    top = tree[0]
    _check_replications(top.name, inventory, findings)
    peer = peer_of(top.name, inventory)
    if peer is not None:
        message = (
            f"What {peer.name} wrote after the newest snapshot here is not here, and {peer.name} may still "
            f"be running: let nobody write to both. Its next run writes nothing over what is written here "
            f"and stops, and says so there. People and passwords of {peer.name} are not known here."
        )
        findings.warning("fail-over", "dataset", message)
    changed = [one for one in tree if is_quiet(one)]
    if not changed:
        findings.error("not-quiet", "dataset", f"Nothing of {top.name} is read-only or kept from mounting.")
    findings.refuse_on_error()
    commands = waking(changed, foreign=not _is_ours(top.name, inventory))
    steps = [Step(title=f"Let {said(top, len(changed))} be written to", commands=commands)]
    mounted, left = mounts(tree)
    if mounted:
        steps.append(Step(title=f"Mount {counted(len(mounted), 'file system')}", commands=mounted))
    for one in left:
        findings.info("not-mounted", "dataset", one)
    return Plan(
        operation="replication.go-live",
        steps=tuple(steps),
        summary=sentences(
            f"{said(top, len(changed))} can be written to, and {are(len(changed))} mounted where possible.",
            "Share it as any other dataset. Once its source is back, copy back what was written here first."
            if peer is not None
            else "To replicate it again, choose it as the source of a new replication.",
        ),
        findings=findings.all(),
        claims=(f"dataset:{top.name}",),
    )


def peer_of(dataset: str, inventory: Inventory) -> Pairing | None:
    """The other machine whose replicas lie there."""
    return next((one for one in inventory.replicating.pairings if within(dataset, one.dataset)), None)


def _is_ours(name: str, inventory: Inventory) -> bool:
    """Whether a replication of this machine made it of its own datasets: of all else nobody knows."""
    for task in inventory.replicating.tasks:
        target = inventory.replicating.target(task.target_id)
        if target is not None and target.kind == "pool" and within(name, task.target):
            return True
    return False


def said(top: Dataset, count: int) -> str:
    """`tank/a with 3 datasets below it`."""
    return top.name if count == 1 else f"{top.name} with {counted(count - 1, 'dataset')} below it"


def _check_replications(name: str, inventory: Inventory, findings: Findings) -> None:
    for task in inventory.replicating.tasks:
        target = inventory.replicating.target(task.target_id)
        if not receives_here(task, target) or not overlapping(written(task), name):
            continue
        if task.back:
            message = f"{task.name} copies back to it. It goes live once that is turned forward again."
            findings.error("in-use", "dataset", message)
        elif task.enabled:
            message = f"{task.name} writes there: its next run would make it read-only. Pause it first."
            findings.error("in-use", "dataset", message)

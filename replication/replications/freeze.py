"""replication.freeze: a replica that was worked with becomes read-only again, so that nothing is missed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from host.commands.datasets.snapshots import ZfsSnapshot
from host.inventory import Dataset, Inventory
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.sentences import are, clients_lose
from replication.replications.go_live import peer_of, said
from replication.replications.live import in_use, known_tree, quieting
from replication.replications.wanted import Text


class FreezeReplica(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let nobody write to `dataset` and all below it, and unmount them: the opposite of going live.

    What another machine sent gets a snapshot then: that machine may fetch what was written, but may take no
    snapshot here.
    """

    dataset: Text


def needs(request: FreezeReplica, _inventory: Inventory) -> Needs:
    """The snapshots of the replica: the new one is called after the newest."""
    return Needs(snapshots=SnapshotNeeds(datasets=(request.dataset,)))


def plan(request: FreezeReplica, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is no place of replicas, and where nothing can be written to."""
    findings = Findings()
    tree = known_tree(request.dataset, inventory, findings)
    top = tree[0]
    peer = peer_of(top.name, inventory)
    above_all = peer is not None and top.name == peer.dataset
    if above_all or not (peer or any(top.name == one.target for one in inventory.replicating.tasks)):
        message = f"No replication has its replica at {top.name}."
        findings.refuse("not-replica", "dataset", message)
    live = in_use(tree)
    if not live:
        findings.error("is-quiet", "dataset", f"Nobody can write to {top.name} already.")
    findings.refuse_on_error()
    steps = [Step(title=f"Make {said(top, len(live))} read-only", commands=quieting(live))]
    comes = "What was written stays; the next run back copies it."
    if peer is not None:
        tag = _tag(tree, inventory)
        command = ZfsSnapshot(names=(f"{top.name}@{tag}",), recursive=True)
        steps.append(Step(title=f"Take the snapshot {tag} of {said(top, len(tree))}", commands=(command,)))
        comes = f"What was written is kept in a snapshot {tag}, which {peer.name} gets when it copies back."
    return Plan(
        operation="replication.freeze",
        steps=tuple(steps),
        summary=sentences(
            f"{said(top, len(live))} {are(len(live))} read-only and not mounted from then on.",
            clients_lose(live, inventory),
            comes,
        ),
        findings=findings.all(),
        claims=(f"dataset:{top.name}",),
    )


def _tag(tree: Sequence[Dataset], inventory: Inventory) -> str:
    """No other one is called so, here or on the machine that gets it: after the transaction group in which
    the newest snapshot of the tree was made. Policies and clients take it for none of theirs."""
    known = (snapshot for one in tree for snapshot in inventory.snapshots.get(one.name, ()))
    return f"frozen-{max((snapshot.createtxg for snapshot in known), default=0)}"

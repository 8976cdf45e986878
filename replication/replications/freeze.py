"""replication.freeze: a replica that was worked with becomes read-only again, so that nothing is missed."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.sentences import are, clients_lose
from replication.replications.go_live import peer_of, said
from replication.replications.live import is_quiet, known_tree, quieting
from replication.replications.wanted import Text


class FreezeReplica(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let nobody write to `dataset` and all below it, and unmount them: the opposite of going live."""

    dataset: Text


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
    live = [one for one in tree if not is_quiet(one)]
    if not live:
        findings.error("is-quiet", "dataset", f"Nobody can write to {top.name} already.")
    findings.refuse_on_error()
    return Plan(
        operation="replication.freeze",
        steps=(Step(title=f"Make {said(top, len(live))} read-only", commands=quieting(live)),),
        summary=sentences(
            f"{said(top, len(live))} {are(len(live))} read-only and not mounted from then on.",
            clients_lose(live, inventory),
            "What was written stays; the next run back copies it.",
        ),
        findings=findings.all(),
        claims=(f"dataset:{top.name}",),
    )

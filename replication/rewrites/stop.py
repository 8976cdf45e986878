"""dataset.stop-rewrite: end the copying or comparing that is under way."""

from __future__ import annotations

import msgspec

from host.commands.replication.runs import StopProof, StopReplication
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from replication.rewrites.known import DatasetText, find


class StopRewrite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop copying or comparing. What has been copied stays, and is gone on from."""

    dataset: DatasetText


def plan(request: StopRewrite, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is under way."""
    findings = Findings()
    known = find(request.dataset, inventory, findings)
    if not (known.running or known.comparing):
        message = f"{known.dataset} is neither being copied nor compared."
        findings.refuse("not-running", "dataset", message)
    stop = StopReplication(task=known.key) if known.running else StopProof(task=known.key)
    what = "copying" if known.running else "comparing"
    return Plan(
        operation="dataset.stop-rewrite",
        steps=(Step(title=f"Stop {what} {known.dataset}", commands=(stop,)),),
        summary=f"{what.capitalize()} {known.dataset} stops. What has been copied stays at {known.copy}.",
        findings=findings.all(),
        claims=(f"rewrite:{known.dataset}",),
    )

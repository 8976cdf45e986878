"""dataset.compare-rewrite: compare all files of a copy with what it was written from."""

from __future__ import annotations

import msgspec

from host.commands.replication.runs import StartProof
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from replication.models import RewriteRow
from replication.rewrites.known import DatasetText, find, task_of


class CompareRewrite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Read every file of the newest snapshot on both sides, and compare them by hash."""

    dataset: DatasetText


def plan(request: CompareRewrite, inventory: Inventory) -> Plan:
    """Raises `Refused` before all is copied, and while it is copied or compared."""
    findings = Findings()
    known = find(request.dataset, inventory, findings)
    if known.running or known.comparing:
        findings.error("already-running", "dataset", f"{known.dataset} is being copied or compared already.")
    elif known.live:
        findings.error("is-live", "dataset", f"{known.dataset} has taken its place already.")
    elif known.verdict != "done":
        message = f"{known.dataset} is not wholly copied yet. Go on with that first."
        findings.error("not-copied", "dataset", message)
    findings.refuse_on_error()
    title = f"Compare {known.copy} with {known.dataset}"
    return Plan(
        operation="dataset.compare-rewrite",
        steps=(Step(title=title, commands=(StartProof(task=task_of(known)),)),),
        summary=sentences(
            f"Every file of {known.copy} is compared with that of {known.dataset}, by hash.",
            "Both are only read. Of volumes nothing can be compared: their streams have checksums.",
        ),
        takes="as long as it takes to read both, in the background",
        findings=findings.all(),
        claims=(f"rewrite:{known.dataset}",),
    )


def remember(request: CompareRewrite, _inventory: Inventory, _actor: str) -> None:
    """Its end is looked for from now on."""
    RewriteRow.objects.filter(dataset=request.dataset).update(comparing=True, proof=None)

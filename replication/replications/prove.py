"""replication.prove: compare a sample of a replica's files with the snapshot that they came from."""

from __future__ import annotations

import msgspec

from host.commands.replication.runs import StartProof
from host.inventory import Inventory
from host.replication.proof import BY_GUID_ALONE
from host.replication.values import Replication
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from replication.models import TaskRow
from replication.replications.run import known_of
from replication.replications.wanted import NameText, task_of


class ProveReplica(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Read some hundred files of the replica, and compare each with the source's snapshot by its hash."""

    name: NameText


def plan(request: ProveReplica, inventory: Inventory) -> Plan:
    """Raises `Refused` where files of both sides cannot be read."""
    findings = Findings()
    known, target = known_of(request.name, inventory, findings)
    if target.kind == "ssh":
        message = f"{target.name} is no Nasweb. {BY_GUID_ALONE}"
        findings.error("elsewhere", "name", message)
    elif target.kind == "pool" and all(pool.guid != target.pool_guid for pool in inventory.pools):
        message = f"The pool of {target.name} is not imported. Plug its disk in and import it first."
        findings.error("target-away", "name", message)
    elif target.kind == "nasweb" and inventory.dataset(here_of(known)) is None:
        message = f"{here_of(known)} is not there now. Import its pool first."
        findings.error("target-away" if known.pull else "source-missing", "name", message)
    if known.proving:
        message = f"Files of {known.name} are being compared now. Wait for the end of that."
        findings.error("already-running", "name", message)
    findings.refuse_on_error()
    title = f"Compare files of {known.target} with those of {known.source}"
    return Plan(
        operation="replication.prove",
        steps=(Step(title=title, commands=(StartProof(task=task_of(known, target)),)),),
        summary=sentences(
            f"Some hundred files of {known.target} are compared with those of {known.source}, by hash.",
            "Both are only read.",
            ""
            if target.kind == "pool"
            else f"{target.name} reads its own files and sends their hashes alone.",
        ),
        takes="minutes, in the background",
        findings=findings.all(),
        claims=(f"proof:{request.name}",),
    )


def here_of(known: Replication) -> str:
    """The side of a replication over a connection that lies on this machine."""
    return known.target if known.pull else known.source


def remember(request: ProveReplica, _inventory: Inventory, _actor: str) -> None:
    """Its end is looked for from now on."""
    TaskRow.objects.filter(name=request.name).update(proving=True)

"""target.remove: nothing is replicated there any more. The replicas stay."""

from __future__ import annotations

import msgspec

from host.commands.peering.connections import ForgetConnection
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import listed
from replication.models import TargetRow
from replication.targets.find import find
from replication.targets.wanted import Number


class RemoveTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Remove a target that no replication uses. The key of its connection is gone for good."""

    id: Number


def plan(request: RemoveTarget, inventory: Inventory) -> Plan:
    """Raises `Refused` while a replication leads there."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    used = [task.name for task in inventory.replicating.tasks if task.target_id == known.id]
    if used:
        findings.error("in-use", "id", f"It is the target of {listed(used)}. Delete that first.")
    findings.refuse_on_error()
    if known.kind == "nasweb":
        message = f"{known.machine or known.host} keeps a place for this machine. Unpair it there, too."
        findings.info("unpair-there", "id", message)
    commands = (ForgetConnection(connection=known.connection),) if known.connection else ()
    return Plan(
        operation="target.remove",
        steps=(
            Step(
                title=f"Forget {known.name}" + (" and the key for it" if commands else ""), commands=commands
            ),
        ),
        summary=sentences(
            f"{known.name} is no target any more.",
            "This machine can no longer sign in there." if commands else "",
            "Replicas that lie there stay as they are.",
        ),
        findings=findings.all(),
        claims=(f"target:{known.name}",),
    )


def remember(request: RemoveTarget, _inventory: Inventory, _actor: str) -> None:
    """Forget it."""
    TargetRow.objects.filter(pk=request.id).delete()

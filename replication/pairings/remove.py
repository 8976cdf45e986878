"""pairing.remove: the other machine gets in no more. Its replicas stay."""

from __future__ import annotations

import msgspec

from host.commands.peering.peers import DisallowPeer, ForgetPeer
from host.inventory import Inventory
from jobs import secrets
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from replication.models import PairingRow
from replication.pairings.find import find, only_its
from replication.targets.wanted import Number


class RemovePairing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Unpair another machine."""

    id: Number


def plan(request: RemovePairing, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown pairing."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    if known.user_key:
        message = f"Replications of {known.machine} to this machine fail from then on."
        findings.warning("no-copy", "id", message)
    places = only_its((known.dataset, *known.shared), known, inventory)
    steps = [Step(title="Remove its key and its rights", commands=(ForgetPeer(peer=known.peer),))]
    if places:
        commands = tuple(DisallowPeer(dataset=name) for name in places)
        steps.append(Step(title="Take the rights on datasets back", commands=commands))
    return Plan(
        operation="pairing.remove",
        steps=tuple(steps),
        summary=sentences(
            f"{known.name} can no longer sign in here.",
            f"{known.dataset} and the replicas below it stay as they are.",
        ),
        findings=findings.all(),
        claims=(f"pairing:{known.name}",),
    )


def remember(request: RemovePairing, _inventory: Inventory, _actor: str) -> None:
    """Forget it, and a code that may still be shown."""
    for row in PairingRow.objects.filter(pk=request.id):
        secrets.drop([row.code] if row.code else [])
        row.delete()

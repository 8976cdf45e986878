"""pairing.accept: the key of another machine that knew the code. Asked for by this console alone."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta

from host.commands.peering.peers import AcceptPeerKey
from host.contents.ssh import fingerprint, key_fault
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.rights import ADMIN
from replication.models import PairingRow
from replication.pairings.find import find
from replication.targets.trust import KeyText
from replication.targets.wanted import Number


class AcceptPairing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let `machine`, which has `key`, in as what was offered to it."""

    id: Number
    key: KeyText
    machine: Annotated[str, Meta(min_length=1, max_length=64)]


def also_needs(_request: AcceptPairing) -> tuple[str, ...]:
    """An admin's right: another machine gets in."""
    return (ADMIN,)


def plan(request: AcceptPairing, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown pairing, and for what is no key."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    if fault := key_fault(request.key):
        findings.error("bad-key", "key", fault)
    if not request.machine.isprintable():
        findings.error("bad-name", "machine", "Use a name that can be read.")
    findings.refuse_on_error()
    command = AcceptPeerKey(peer=known.peer, key=request.key)
    title = f"Accept the key {fingerprint(request.key)} of {request.machine}"
    return Plan(
        operation="pairing.accept",
        steps=(Step(title=title, commands=(command,)),),
        summary=f"{request.machine} is paired, and can replicate to this machine below {known.dataset}.",
        findings=findings.all(),
        claims=(f"pairing:{known.name}",),
    )


def remember(request: AcceptPairing, _inventory: Inventory, _actor: str) -> None:
    """Store who it is."""
    row = PairingRow.objects.get(pk=request.id)
    row.value = row.value | {"user_key": request.key, "machine": request.machine}
    row.paired_at = timezone.now()
    row.save(update_fields=["value", "paired_at"])

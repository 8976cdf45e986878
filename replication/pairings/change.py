"""pairing.change: which datasets of this machine the other one may fetch."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.peering.peers import AllowPeer, DisallowPeer, WritePeerRights
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.rights import ADMIN
from jobs.wording import listed
from replication.models import PairingRow
from replication.pairings.find import find, only_its
from replication.pairings.offer import SharedTexts, check_shared
from replication.targets.wanted import Number


class ChangePairing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let the other machine fetch `shared`, each with all below, and nothing else."""

    id: Number
    shared: SharedTexts


def also_needs(_request: ChangePairing) -> tuple[str, ...]:
    """An admin's right: another machine reads it."""
    return (ADMIN,)


def plan(request: ChangePairing, inventory: Inventory) -> Plan:
    """Raises `Refused` for datasets that are not there, or where nothing would differ."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    check_shared(request.shared, inventory, findings)
    if set(request.shared) == set(known.shared):
        findings.error("nothing-to-change", "shared", "This is how it is already.")
    findings.refuse_on_error()
    more = tuple(name for name in request.shared if name not in known.shared)
    less = tuple(name for name in known.shared if name not in request.shared)
    commands: tuple[AnyCommand, ...] = (
        # Its own file first: what it may no longer do ends there, whatever comes of the rest.
        WritePeerRights(peer=known.peer, root=known.dataset, shared=request.shared),
        *(DisallowPeer(dataset=name) for name in only_its(less, known, inventory)),
        *(AllowPeer(dataset=name, what="send") for name in more),
    )
    return Plan(
        operation="pairing.change",
        steps=(Step(title=f"Change what {known.name} may fetch", commands=commands),),
        summary=sentences(
            f"{known.name} can fetch {listed(more)} from now on." if more else "",
            f"It can no longer fetch {listed(less)}; what it has stays there." if less else "",
        ),
        findings=findings.all(),
        claims=(f"pairing:{known.name}",),
    )


def remember(request: ChangePairing, _inventory: Inventory, _actor: str) -> None:
    """Store it."""
    row = PairingRow.objects.get(pk=request.id)
    row.value = row.value | {"shared": list(request.shared)}
    row.save(update_fields=["value"])

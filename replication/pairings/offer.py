"""pairing.offer: a place for the replicas of another Nasweb, which is paired by a code afterwards."""

from __future__ import annotations

from typing import Annotated, cast

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.peering.peers import AllowPeer, StartSshServer, WritePeerRights
from host.inventory import Inventory
from host.replication.values import Pairing
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.rights import ADMIN
from jobs.wording import listed
from pools.names import dataset_name_fault
from replication.models import PairingRow
from replication.pairings.identity import QUESTION, Identity
from replication.stored import value_of
from replication.targets.wanted import NameText, Text, check_apart, check_name, check_place, id_of, missing

SharedTexts = Annotated[tuple[Text, ...], Meta(max_length=200)]


class OfferPairing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let another Nasweb, called `name` here, replicate to this one: below `dataset`, which is made where it
    is not there. `shared` are datasets of this machine that it may fetch besides, each with all below."""

    name: NameText
    dataset: Text
    shared: SharedTexts = ()


def also_needs(_request: OfferPairing) -> tuple[str, ...]:
    """An admin's right: another machine gets in."""
    return (ADMIN,)


def needs(_request: OfferPairing, _inventory: Inventory) -> Needs:
    """Whether the SSH server runs."""
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={}),))


def plan(request: OfferPairing, inventory: Inventory) -> Plan:
    """Raises `Refused` for a place that is another one's."""
    findings = Findings()
    identity = cast("Identity", inventory.answers[QUESTION])
    taken = frozenset(one.name for one in inventory.replicating.pairings)
    check_name(request.name, taken, "pairing", findings)
    if any(one.peer == id_of("pairing", request.name) for one in inventory.replicating.pairings):
        findings.error("name-taken", "name", "A pairing had this name before. Choose another one.")
    if check_place(request.dataset, inventory, findings):
        check_apart(request.dataset, inventory, findings)
        if "/" not in request.dataset:
            message = "Choose a dataset below the pool, such as tank/replicas/attic: all below it is theirs."
            findings.error("whole-pool", "dataset", message)
        held = inventory.dataset(request.dataset)
        if held is not None and any(one.name.startswith(f"{held.name}/") for one in inventory.datasets):
            message = (
                f"{held.name} holds datasets already, which the other machine could then read and change."
            )
            findings.warning("not-empty", "dataset", message)
    check_shared(request.shared, inventory, findings)
    findings.refuse_on_error()
    peer = id_of("pairing", request.name)
    place: tuple[AnyCommand, ...] = (
        *missing(request.dataset, inventory), AllowPeer(dataset=request.dataset, what="receive"),
    )  # fmt: skip
    steps = [Step(title=f"Make {request.dataset} a place for its replicas", commands=place)]
    if request.shared:
        commands = tuple(AllowPeer(dataset=name, what="send") for name in request.shared)
        steps.append(Step(title=f"Let it fetch {listed(request.shared)}", commands=commands))
    rights = WritePeerRights(peer=peer, root=request.dataset, shared=request.shared)
    steps.append(Step(title="Write down what it may do", commands=(rights,)))
    if not identity.running:
        steps.append(Step(title="Start the SSH server", commands=(StartSshServer(),)))
        message = (
            "From now on the SSH server runs. Paired machines sign in by keys alone, and other accounts as "
            "Debian has it."
        )
        findings.info("starts-ssh", "", message)
    return Plan(
        operation="pairing.offer",
        steps=tuple(steps),
        summary=sentences(
            f"{request.name} can be paired with this machine and replicate to it, below {request.dataset}.",
            f"It can also fetch {listed(request.shared)}." if request.shared else "",
            "It can do nothing else here, and nothing at all before it is paired by a code.",
        ),
        findings=findings.all(),
        claims=(f"pairing:{request.name}",),
    )


def remember(request: OfferPairing, _inventory: Inventory, _actor: str) -> None:
    """Store it, not paired yet."""
    peer = id_of("pairing", request.name)
    made = Pairing(id=0, name=request.name, peer=peer, dataset=request.dataset, shared=request.shared)
    PairingRow.objects.create(name=made.name, peer=peer, value=value_of(made))


def check_shared(shared: tuple[str, ...], inventory: Inventory, findings: Findings) -> None:
    """Adds findings on `shared`."""
    for index, name in enumerate(shared):
        field = f"shared[{index}]"
        if fault := dataset_name_fault(name):
            findings.error("bad-name", field, fault)
        elif inventory.dataset(name) is None:
            findings.error("unknown-dataset", field, f"There is no dataset {name[:60]}.")

"""target.pair: another Nasweb becomes a target, by the code that it shows.

The code goes by reference to the program that asks the other side (`host.programs.peering.pair`); it is in no
row, plan, log or address. What the other side answers is root's, and read from there once the steps have
succeeded.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta

from host import typed
from host.base import HostError
from host.commands.base import SECRET_PATTERN
from host.commands.peering.connections import (
    ExchangeKeys,
    ForgetConnection,
    MakeConnection,
    MakeConnectionKey,
    ReadPaired,
)
from host.contents.ssh import host_fault
from host.inventory import Inventory
from host.pairing.protocol import Answering
from host.replication.values import Target
from jobs.operation import the_host
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.rights import ADMIN
from jobs.secrets import typed_as
from replication.models import TargetRow
from replication.stored import value_of
from replication.targets.create import new_connection
from replication.targets.wanted import NameText, Text, check_name, id_of

_TYPED = Annotated[
    str,
    Meta(
        pattern=r"\A[A-Za-z0-9 \-]{16,40}\Z",
        description="the 16 letters and digits that the other Nasweb shows",
        extra_json_schema={"writeOnly": True, "format": "password"},
    ),
]
Code = Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(_TYPED))]
CONSOLE_PORT = 443


class PairTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pair this machine with the Nasweb whose console is at `host`, by the `code` that it shows."""

    name: NameText
    host: Text
    code: Code
    port: int = CONSOLE_PORT


def also_needs(_request: PairTarget) -> tuple[str, ...]:
    """An admin's right: the other machine gets data from then on."""
    return (ADMIN,)


def plan(request: PairTarget, inventory: Inventory) -> Plan:
    """Raises `Refused` for an address that cannot be another machine's."""
    findings = Findings()
    taken = frozenset(one.name for one in inventory.replicating.targets)
    check_name(request.name, taken, "target", findings)
    if fault := host_fault(request.host):
        findings.error("bad-host", "host", fault)
    elif request.host in _own(inventory):
        findings.error("itself", "host", "This is this machine's own address.")
    if not 1 <= request.port <= 65535:
        findings.error("bad-port", "port", "A port is a number from 1 to 65535.")
    findings.refuse_on_error()
    connection = new_connection(request.name, inventory, findings)
    exchange = ExchangeKeys(
        connection=connection, name=_machine_name(inventory.facts.name), host=request.host, port=request.port,
        code=request.code,
    )  # fmt: skip
    step = Step(
        title=f"Make a key for {request.host} alone, and exchange keys with it",
        commands=(MakeConnection(connection=connection), MakeConnectionKey(connection=connection), exchange),
        undo=(ForgetConnection(connection=connection),),
    )
    return Plan(
        operation="target.pair",
        steps=(step,),
        summary=sentences(
            f"This machine and {request.host} come to know each other by the code.",
            f"From then on replications can have {request.name} as their target; below which dataset their "
            "replicas lie is decided there.",
        ),
        findings=findings.all(),
        claims=(f"target:{request.name}",),
    )


def remember(request: PairTarget, _inventory: Inventory, _actor: str) -> None:
    """Store it as the other side described itself."""
    connection = id_of("target", request.name)
    answering: Answering | None = None
    with suppress(HostError, msgspec.DecodeError):
        answering = typed.decode(the_host().run(ReadPaired(connection=connection)).stdout, Answering)
    made = Target(
        id=0, name=request.name, kind="nasweb", dataset="", connection=connection, host=request.host
    )
    if answering is not None:
        made = described(made, answering)
    TargetRow.objects.create(name=made.name, value=value_of(made))


def described(target: Target, answering: Answering) -> Target:
    """A target as its machine says it is."""
    return msgspec.structs.replace(
        target, dataset=answering.root, port=answering.port, user=answering.user, machine=answering.name,
        host_keys=answering.host_keys, shared=answering.shared,
    )  # fmt: skip


def _machine_name(name: str) -> str:
    """As `MachineName` has it."""
    plain = re.sub(r"[^A-Za-z0-9.\-]", "-", name)[:63].strip(".-")
    return plain or "nasweb"


def _own(inventory: Inventory) -> set[str]:
    ports = inventory.network.interfaces
    name = inventory.facts.name.lower()
    return {one.address for port in ports for one in port.addresses} | {
        name,
        f"{name.partition('.')[0]}.local",
    }

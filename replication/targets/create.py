"""target.create: a place for replicas, in a pool of this machine or on another host with OpenZFS and SSH."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.commands.peering.connections import (
    CheckConnection,
    ForgetConnection,
    MakeConnection,
    MakeConnectionKey,
    WriteConnection,
)
from host.contents.ssh import host_fault
from host.inventory import Inventory
from host.replication.values import Target
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.names import dataset_name_fault
from replication.models import TargetRow
from replication.stored import value_of
from replication.targets.wanted import NameText, Text, check_apart, check_name, check_place, id_of, missing
from replication.targets.words import PORT, USER, user_fault


class CreateTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Add a target. Replicas lie below `dataset`, on the target's side.

    `pool`: a pool of this machine; `rotating` for one that is unplugged now and then. `ssh`: another `host`,
    where `user` has been given rights on the dataset. Another Nasweb is paired instead.
    """

    name: NameText
    kind: Literal["pool", "ssh"]
    dataset: Text
    rotating: bool = False
    host: Text = ""
    port: int = PORT
    user: Text = ""


def plan(request: CreateTarget, inventory: Inventory) -> Plan:
    """Raises `Refused` for a place that cannot be one."""
    findings = Findings()
    taken = frozenset(one.name for one in inventory.replicating.targets)
    check_name(request.name, taken, "target", findings)
    if request.kind == "pool":
        step, said = _in_pool(request, inventory, findings), f"below {request.dataset}"
    else:
        step, said = _by_ssh(request, inventory, findings), f"on {request.host}, below {request.dataset}"
    findings.refuse_on_error()
    rotating = "Its pool may be unplugged; replicas are brought up to date when it is there."
    unknown = "Nothing is sent there before you have trusted its host key."
    return Plan(
        operation="target.create",
        steps=(step,),
        summary=sentences(
            f"Replications can have {request.name} as their target: their replicas lie {said}.",
            rotating if request.rotating else unknown if request.kind == "ssh" else "",
        ),
        findings=findings.all(),
        claims=(f"target:{request.name}",),
    )


def remember(request: CreateTarget, inventory: Inventory, _actor: str) -> None:
    """Store it."""
    pool = next((one for one in inventory.pools if one.name == request.dataset.partition("/")[0]), None)
    ssh = request.kind == "ssh"
    made = Target(
        id=0, name=request.name, kind=request.kind, dataset=request.dataset,
        pool_guid="" if ssh or pool is None else pool.guid, rotating=request.rotating,
        connection=id_of("target", request.name) if ssh else "",
        host=request.host, port=request.port, user=(request.user or USER) if ssh else "",
    )  # fmt: skip
    TargetRow.objects.create(name=made.name, value=value_of(made))


def _in_pool(request: CreateTarget, inventory: Inventory, findings: Findings) -> Step:
    for field in ("host", "user"):
        if getattr(request, field):
            findings.error("not-with-pool", field, "Leave this out for a pool of this machine.")
    if not check_place(request.dataset, inventory, findings):
        return Step(title="", commands=())
    check_apart(request.dataset, inventory, findings)
    made = missing(request.dataset, inventory)
    title = f"Create {request.dataset} for replicas" if made else f"Remember {request.dataset} as a target"
    return Step(title=title, commands=made)


def _by_ssh(request: CreateTarget, inventory: Inventory, findings: Findings) -> Step:
    if request.rotating:
        findings.error("not-with-ssh", "rotating", "Only a pool of this machine can be unplugged here.")
    if fault := dataset_name_fault(request.dataset):
        findings.error("bad-name", "dataset", fault)
    user = request.user or USER
    if fault := host_fault(request.host):
        findings.error("bad-host", "host", fault)
    if user_fault(user):
        findings.error("bad-user", "user", user_fault(user))
    if not 1 <= request.port <= 65535:
        findings.error("bad-port", "port", "A port is a number from 1 to 65535.")
    findings.refuse_on_error()
    connection = new_connection(request.name, inventory, findings)
    commands = (
        MakeConnection(connection=connection),
        MakeConnectionKey(connection=connection),
        WriteConnection(connection=connection, host=request.host, port=request.port, user=user),
        CheckConnection(connection=connection),
    )
    undo = (ForgetConnection(connection=connection),)
    return Step(title=f"Make a key for {request.host} alone", commands=commands, undo=undo)


def new_connection(name: str, inventory: Inventory, findings: Findings) -> str:
    """What a new target's connection is called; adds a finding where a renamed target has that name's."""
    connection = id_of("target", name)
    if any(one.connection == connection for one in inventory.replicating.targets):
        message = "A target that was renamed had this name, and still has its key. Choose another name."
        findings.error("name-taken", "name", message)
        findings.refuse_on_error()
    return connection

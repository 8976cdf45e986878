"""target.change: another name, another address, or whether its pool is unplugged now and then."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from host.commands.peering.connections import CheckConnection, WriteConnection
from host.contents.ssh import host_fault
from host.inventory import Inventory
from host.replication.values import Target
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from replication.models import TargetRow
from replication.stored import value_of
from replication.targets.find import find
from replication.targets.wanted import NameText, Number, Text, check_name
from replication.targets.words import user_fault

_REMOTE = ("host", "port", "user")


class ChangeTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given and keep the rest. `host`, `port` and `user` say how another machine is reached;
    its keys stay the same, and so does the dataset that replicas lie below."""

    id: Number
    name: NameText | UnsetType = UNSET
    rotating: bool | UnsetType = UNSET
    host: Text | UnsetType = UNSET
    port: int | UnsetType = UNSET
    user: Text | UnsetType = UNSET


def plan(request: ChangeTarget, inventory: Inventory) -> Plan:
    """Raises `Refused` for what does not fit, or where nothing would differ."""
    findings = Findings()
    known = find(request.id, inventory, findings)
    given = _given(request)
    changed = msgspec.structs.replace(known, **given)
    if changed == known:
        findings.error("nothing-to-change", "", "Nothing to change.")
    taken = frozenset(one.name for one in inventory.replicating.targets if one.id != known.id)
    check_name(changed.name, taken, "target", findings)
    if known.kind == "pool":
        for field in (one for one in _REMOTE if one in given):
            findings.error("not-with-pool", field, "Leave this out for a pool of this machine.")
    else:
        _check_remote(given, changed, findings)
    findings.refuse_on_error()
    commands: tuple[Any, ...] = ()
    if any(field in given for field in _REMOTE):
        to = {"host": changed.host, "port": changed.port, "user": changed.user}
        commands = (
            WriteConnection(connection=known.connection, **to),  # type: ignore[arg-type]
            CheckConnection(connection=known.connection),
        )
    return Plan(
        operation="target.change",
        steps=(Step(title=f"Change {known.name}: {', '.join(sorted(given))}", commands=commands),),
        summary=sentences(
            f"The target {known.name} is called {changed.name}." if changed.name != known.name else "",
            f"{changed.name} is reached as {changed.user} at {changed.host}, port {changed.port}."
            if commands
            else f"What is replicated to {changed.name} stays as it is.",
        ),
        findings=findings.all(),
        claims=(f"target:{known.name}",),
    )


def remember(request: ChangeTarget, inventory: Inventory, _actor: str) -> None:
    """Store it."""
    known = find(request.id, inventory, Findings())
    changed = msgspec.structs.replace(known, **_given(request))
    TargetRow.objects.filter(pk=known.id).update(name=changed.name, value=value_of(changed), found=None)


def _given(request: ChangeTarget) -> dict[str, Any]:
    fields = msgspec.structs.asdict(request)
    return {name: value for name, value in fields.items() if name != "id" and value is not UNSET}


def _check_remote(given: dict[str, Any], changed: Target, findings: Findings) -> None:
    if "rotating" in given:
        findings.error("not-with-ssh", "rotating", "Only a pool of this machine can be unplugged here.")
    if fault := host_fault(changed.host):
        findings.error("bad-host", "host", fault)
    if not 1 <= changed.port <= 65535:
        findings.error("bad-port", "port", "A port is a number from 1 to 65535.")
    if changed.kind == "nasweb" and "user" in given:
        findings.error("by-pairing", "user", "Between two Naswebs the account is a matter of their pairing.")
    elif user_fault(changed.user):
        findings.error("bad-user", "user", user_fault(changed.user))

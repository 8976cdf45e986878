"""target.trust: by which keys another machine is known from now on."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.peering.connections import TrustHostKeys
from host.contents.ssh import fingerprint, key_fault
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from replication.models import TargetRow
from replication.targets.find import remote
from replication.targets.wanted import Number

KeyText = Annotated[str, Meta(max_length=1500)]


class TrustTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Trust `host_keys`, which were compared with those of the other machine, and no others."""

    id: Number
    host_keys: Annotated[tuple[KeyText, ...], Meta(min_length=1, max_length=6)]


def plan(request: TrustTarget, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is no key, or a target of this machine."""
    findings = Findings()
    target = remote(request.id, inventory, findings)
    for index, key in enumerate(request.host_keys):
        if fault := key_fault(key):
            findings.error("bad-key", f"host_keys[{index}]", fault)
    findings.refuse_on_error()
    prints = [fingerprint(key) for key in request.host_keys]
    if target.host_keys and not set(target.host_keys) & set(request.host_keys):
        message = (
            f"None of these keys is one that {target.host} had. If it was not installed anew, somebody may "
            "stand between."
        )
        findings.warning("other-keys", "host_keys", message)
    if target.kind == "ssh":
        message = f"On {target.host}, ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub shows its fingerprint."
        findings.info("compare", "host_keys", message)
    command = TrustHostKeys(connection=target.connection, keys=request.host_keys)
    return Plan(
        operation="target.trust",
        steps=(Step(title=f"Trust {', '.join(prints)}", commands=(command,)),),
        summary=sentences(
            f"Whoever has {'this key' if len(prints) == 1 else 'one of these keys'} is {target.name} for "
            "this machine, and gets your data.",
            "With any other key nothing is sent.",
        ),
        findings=findings.all(),
        claims=(f"target:{target.name}",),
    )


def remember(request: TrustTarget, _inventory: Inventory, _actor: str) -> None:
    """Store which they are."""
    row = TargetRow.objects.get(pk=request.id)
    row.value = row.value | {"host_keys": list(request.host_keys)}
    row.found, row.probed_at = None, None
    row.save(update_fields=["value", "found", "probed_at"])

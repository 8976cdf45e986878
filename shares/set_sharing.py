"""sharing.set: what holds for all shares."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.contents.smb_names import interface_fault, netbios_fault
from host.inventory import Inventory, Sharing
from jobs.plan import Plan
from jobs.planning.findings import Findings
from shares import changing, stored
from shares.smb.fields import given

_Text = Annotated[str, Meta(max_length=300)]


class SetSharing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given. An empty `name` is the machine's own; no `interfaces` are all of them."""

    workgroup: _Text | None = None
    name: _Text | None = None
    smb2: bool | None = None
    signing: bool | None = None
    interfaces: Annotated[tuple[_Text, ...], Meta(max_length=16)] | None = None
    nfs3: bool | None = None


def plan(request: SetSharing, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong, or where nothing would differ."""
    findings = Findings()
    sharing = _wanted(request, inventory)
    before, wanted = inventory.sharing.settings, sharing.settings
    if wanted == before:
        findings.refuse("nothing-changes", "", "That is how it is already.")
    if fault := netbios_fault(wanted.workgroup):
        findings.error("bad-name", "workgroup", fault)
    if wanted.name and (fault := netbios_fault(wanted.name)):
        findings.error("bad-name", "name", fault)
    for index, name in enumerate(wanted.interfaces):
        if fault := interface_fault(name):
            findings.error("bad-value", f"interfaces[{index}]", fault)
    if wanted.signing and any(share.guests != "no" for share in inventory.sharing.smb):
        message = "Some shares let guests in, who cannot sign. Change those shares first."
        findings.error("guests-unsigned", "signing", message)
    if wanted.smb2 and not before.smb2:
        message = (
            "SMB 2 neither encrypts nor protects how a connection begins. Allow it for old clients only."
        )
        findings.warning("old-protocol", "smb2", message)
    if wanted.nfs3 and not before.nfs3:
        message = "NFS 3 needs more open ports (111 and others), and who is connected by it is not shown."
        findings.warning("old-protocol", "nfs3", message)
    if wanted.nfs3 != before.nfs3 and inventory.sharing.nfs:
        message = "The NFS server starts again: clients wait for up to 90 seconds, and go on."
        findings.warning("interrupts", "nfs3", message)
    if wanted.interfaces != before.interfaces and inventory.sharing.smb:
        message = "Samba starts again: who is connected is cut off, and connects again by itself."
        findings.warning("interrupts", "interfaces", message)
    return changing.plan_of("sharing.set", "Remember what holds for all shares", sharing, inventory, findings)


def remember(request: SetSharing, inventory: Inventory, _actor: str) -> None:
    """Write the row."""
    stored.keep(_wanted(request, inventory))


def _wanted(request: SetSharing, inventory: Inventory) -> Sharing:
    sharing = inventory.sharing
    settings = msgspec.structs.replace(sharing.settings, **given(request, without=()))
    return msgspec.structs.replace(sharing, settings=settings)

"""sharing.set: what holds for all shares."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Annotated

import msgspec
from msgspec import Meta

from host.contents.smb_names import interface_fault, netbios_fault
from host.inventory import Interface, Inventory, Sharing, SharingSettings
from jobs.plan import Plan
from jobs.planning.findings import Findings
from jobs.wording import capital, listed
from shares import changing, stored
from shares.smb.fields import given
from shares.smb.render import machine_name

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
        findings.refuse("nothing-changes", "", "These settings are already in place.")
    if fault := netbios_fault(wanted.workgroup):
        findings.error("bad-name", "workgroup", fault)
    if wanted.name and (fault := netbios_fault(wanted.name)):
        findings.error("bad-name", "name", fault)
    _check_interfaces(before.interfaces, wanted.interfaces, inventory, findings)
    if wanted.signing and any(share.guests != "no" for share in inventory.sharing.smb):
        message = "Some shares allow guests, who cannot sign connections. Change those shares first."
        findings.error("guests-unsigned", "signing", message)
    if wanted.smb2 and not before.smb2:
        message = (
            "SMB 2 neither encrypts connections nor protects how they are set up. Allow it for old "
            "clients only."
        )
        findings.warning("old-protocol", "smb2", message)
    if wanted.nfs3 and not before.nfs3:
        message = "NFS 3 needs more open ports (111 and others), and its connections are not shown."
        findings.warning("old-protocol", "nfs3", message)
    if wanted.nfs3 != before.nfs3 and inventory.sharing.nfs:
        message = "The NFS server restarts: clients wait for up to 90 seconds and then continue."
        findings.warning("interrupts", "nfs3", message)
    if wanted.interfaces != before.interfaces and inventory.sharing.smb:
        message = "Samba restarts: connected clients are cut off and reconnect by themselves."
        findings.warning("interrupts", "interfaces", message)
    title = "Save the settings for all shares"
    summary = _summary(before, wanted, inventory.facts.name)
    return changing.plan_of("sharing.set", title, sharing, inventory, findings, summary=summary)


def _check_interfaces(
    before: tuple[str, ...], wanted: tuple[str, ...], inventory: Inventory, findings: Findings
) -> None:
    """Samba binds to these alone: where the machine has none of them, nobody reaches a share."""
    known = inventory.network.interfaces
    lost = [name for name in wanted if not any(_has(one, name) for one in known)]
    for index, name in enumerate(wanted):
        where = f"interfaces[{index}]"
        if fault := interface_fault(name):
            findings.error("bad-value", where, fault)
        elif known and wanted != before and name in lost:
            message = (
                f"No interface of this machine has {name}. There are: {listed(list(map(_called, known)))}."
            )
            if len(lost) == len(wanted):
                findings.error("unknown-interface", where, message)
            else:
                later = "SMB does not answer there until Samba restarts with it."
                findings.warning("unknown-interface", where, f"{message} {later}")


def _has(interface: Interface, given: str) -> bool:
    """Whether `given` is its name, an address of it, or a network that it is in."""
    if given == interface.name:
        return True
    try:
        network = ip_network(given, strict=False)
        return any(ip_address(one.address) in network for one in interface.addresses)
    except ValueError:
        return False


def _called(interface: Interface) -> str:
    addresses = ", ".join(one.address for one in interface.leads_here)
    return f"{interface.name} ({addresses})" if addresses else interface.name


def _summary(before: SharingSettings, wanted: SharingSettings, hostname: str) -> str:
    return f"{capital('; '.join(_changes(before, wanted, hostname)))}."


def _changes(before: SharingSettings, wanted: SharingSettings, hostname: str) -> Iterator[str]:
    if wanted.name != before.name:
        yield f"Windows shows the machine as {machine_name(wanted, hostname)}"
    if wanted.workgroup != before.workgroup:
        yield f"the machine's workgroup is {wanted.workgroup.upper()}"
    if wanted.smb2 != before.smb2:
        yield f"clients that only speak SMB 2 {'may' if wanted.smb2 else 'can no longer'} connect"
    if wanted.signing != before.signing:
        yield "every SMB connection must be signed" if wanted.signing else "SMB connections may be unsigned"
    if wanted.interfaces != before.interfaces:
        places = f"{listed(wanted.interfaces)} alone" if wanted.interfaces else "all interfaces"
        yield f"SMB answers on {places}"
    if wanted.nfs3 != before.nfs3:
        yield f"exports are served by NFS 4 {'and NFS 3' if wanted.nfs3 else 'alone'}"


def remember(request: SetSharing, inventory: Inventory, _actor: str) -> None:
    """Write the row."""
    stored.keep(_wanted(request, inventory))


def _wanted(request: SetSharing, inventory: Inventory) -> Sharing:
    sharing = inventory.sharing
    settings = msgspec.structs.replace(sharing.settings, **given(request, without=()))
    return msgspec.structs.replace(sharing, settings=settings)

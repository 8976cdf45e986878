"""What somebody should know before the network changes under them."""

from __future__ import annotations

import ipaddress
from pathlib import PurePath

from host.commands.network import CONFIRM_S
from host.inventory import Interface, Inventory
from jobs.planning.findings import Findings
from machine.network.settings import InterfaceSettings

_OF_IMAGE = "80-dhcp.network"  # asks for addresses, and no more


def add(settings: InterfaceSettings, found: Interface, inventory: Inventory, findings: Findings) -> None:
    """Add a warning for each consequence."""
    _addresses(settings, found, inventory, findings)
    _ways_out(settings, found, inventory, findings)
    _others_file(found, findings)
    if inventory.sharing.smb or inventory.sharing.nfs:
        message = (
            f"Clients of shares through {found.name} are cut off for a moment; an old address stops working."
        )
        findings.warning("clients-cut-off", "interface", message)
    names = inventory.sharing.settings.interfaces
    if going := [
        one for one in leaving(settings, found) if any(one == name.partition("/")[0] for name in names)
    ]:
        message = (
            f"Samba only answers on {', '.join(going)}. Change that in the settings for all shares as well."
        )
        findings.warning("samba-bound", "ipv4.addresses", message)
    if settings.dns and not inventory.network.resolved:
        message = "systemd-resolved is not running: the DNS servers are saved, but not used."
        findings.warning("dns-unused", "dns", message)


def _others_file(found: Interface, findings: Findings) -> None:
    """Ours takes its place, and says of the addresses alone."""
    if found.ours is None and found.file is not None and PurePath(found.file).name != _OF_IMAGE:
        message = (
            f"{found.name} follows {found.file}, which is no longer used then. What else it says is lost at "
            "the next start at the latest: VLANs, bridges, routes, an MTU."
        )
        findings.warning("file-replaced", "interface", message)


def wanted(settings: InterfaceSettings) -> tuple[str, ...]:
    """The fixed addresses that it will have, without their prefixes."""
    given = (*settings.ipv4.addresses, *settings.ipv6.addresses)
    return tuple(str(ipaddress.ip_interface(one).ip) for one in given)


def console(settings: InterfaceSettings) -> tuple[str, ...]:
    """Where the console is by its fixed addresses."""
    return tuple(f"https://{f'[{one}]' if ':' in one else one}/" for one in wanted(settings))


def leaving(settings: InterfaceSettings, found: Interface) -> tuple[str, ...]:
    """The addresses that it has now and will not have, where that is known."""
    staying = set(wanted(settings))
    methods = {4: settings.ipv4.method, 6: settings.ipv6.method}
    return tuple(
        one.address
        for one in found.leads_here
        if one.address not in staying
        and not (one.origin == "automatic" and methods[one.family] == "automatic")
    )


def _addresses(
    settings: InterfaceSettings, found: Interface, inventory: Inventory, findings: Findings
) -> None:
    going = leaving(settings, found)
    if not going:
        return
    where = " or ".join((*console(settings), f"https://{inventory.naming.name}.local/"))
    message = (
        f"The machine can no longer be reached at {', '.join(going)}. Open {where} within {CONFIRM_S} s "
        "and confirm the change there, or it is reverted."
    )
    findings.warning("address-changes", "interface", message)


def _ways_out(
    settings: InterfaceSettings, found: Interface, inventory: Inventory, findings: Findings
) -> None:
    others = [one for one in inventory.network.interfaces if one.name != found.name]
    methods = {settings.ipv4.method, settings.ipv6.method}
    gateways = [one.gateway for one in (settings.ipv4, settings.ipv6) if one.gateway]
    elsewhere = [one.name for one in others if one.gateways]
    if gateways and elsewhere:
        message = f"{elsewhere[0]} has a gateway too. One is enough; with two, connections may fail."
        findings.warning("two-gateways", "ipv4.gateway", message)
    if "automatic" not in methods and not gateways and not elsewhere:
        message = "Without a gateway the machine cannot reach other networks: no updates, no e-mail."
        findings.warning("no-gateway", "ipv4.gateway", message)
    if "automatic" not in methods and not settings.dns and not any(one.dns for one in others):
        message = "Without a DNS server the machine cannot resolve names: no updates, no mail."
        findings.warning("no-dns", "dns", message)
    _same_network(settings, others, findings)


def _same_network(settings: InterfaceSettings, others: list[Interface], findings: Findings) -> None:
    for family, given in ((4, settings.ipv4), (6, settings.ipv6)):
        for index, text in enumerate(given.addresses):
            network = ipaddress.ip_interface(text).network
            beside = [
                other.name
                for other in others
                for one in other.leads_here
                if one.family == family and ipaddress.ip_address(one.address) in network
            ]
            if beside:
                message = (
                    f"{beside[0]} is in {network} too: packets that leave by one and return by the other "
                    "are lost."
                )
                findings.warning("same-network", f"ipv{family}.addresses[{index}]", message)

"""What is wrong with the settings of an interface, all of it at once."""

from __future__ import annotations

from ipaddress import IPv4Interface, IPv6Interface

from host.inventory import Interface, Inventory
from jobs.planning.findings import Findings
from machine.network import checks
from machine.network.settings import Addressing, InterfaceSettings


def check(settings: InterfaceSettings, found: Interface, inventory: Inventory, findings: Findings) -> None:
    """Add an error for each fault."""
    for family, given in ((4, settings.ipv4), (6, settings.ipv6)):
        _family(given, family, found, inventory, findings)
    if settings.ipv4.method == settings.ipv6.method == "off" and not _other_way(found, inventory):
        message = "The machine could no longer be reached. Leave IPv4 or IPv6 on."
        findings.error("no-way-in", "ipv4.method", message)
    for index, server in enumerate(settings.dns):
        if fault := checks.server_fault(server):
            findings.error("bad-address", f"dns[{index}]", fault)
        elif server in settings.dns[:index]:
            findings.error("twice", f"dns[{index}]", f"{server} is there already.")
    for index, domain in enumerate(settings.search):
        if fault := checks.domain_fault(domain):
            findings.error("bad-domain", f"search[{index}]", fault)


def _family(
    given: Addressing, family: int, found: Interface, inventory: Inventory, findings: Findings
) -> None:
    path = f"ipv{family}"
    if given.method != "fixed":
        for field in ("addresses", "gateway"):
            if getattr(given, field):
                source = "come from the network" if given.method == "automatic" else "are turned off"
                message = (
                    f"IPv{family} addresses {source}, so this would not be used. Choose “Fixed addresses” "
                    f"for IPv{family}, or clear this field."
                )
                findings.error("not-used", f"{path}.{field}", message)
        return
    if not given.addresses:
        findings.error("required", f"{path}.addresses", "Give at least one address.")
    good = _addresses(given, family, found, inventory, findings)
    if given.gateway and (fault := checks.gateway_fault(given.gateway, family, good)):
        findings.error("bad-gateway", f"{path}.gateway", fault)


def _addresses(
    given: Addressing, family: int, found: Interface, inventory: Inventory, findings: Findings
) -> tuple[IPv4Interface | IPv6Interface, ...]:
    """The valid ones; adds an error for each other."""
    others = {
        address.address: other.name
        for other in inventory.network.interfaces
        for address in other.addresses
        if other.name != found.name
    }
    good: list[IPv4Interface | IPv6Interface] = []
    for index, text in enumerate(given.addresses):
        field = f"ipv{family}.addresses[{index}]"
        one = checks.address(text, family)
        if isinstance(one, str):
            findings.error("bad-address", field, one)
        elif any(one.ip == before.ip for before in good):
            findings.error("twice", field, f"{one.ip} is there already.")
        elif (owner := others.get(str(one.ip))) is not None:
            findings.error("address-taken", field, f"{owner} of this machine has {one.ip} already.")
        else:
            good.append(one)
    return tuple(good)


def _other_way(found: Interface, inventory: Inventory) -> bool:
    others = (one for one in inventory.network.interfaces if one.name != found.name)
    return any(one.carrier and one.leads_here for one in others)

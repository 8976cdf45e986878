"""What this machine is called and which addresses it has, for the rule where it may be sent."""

from __future__ import annotations

from ipaddress import ip_address

from host.addresses import Own
from host.inventory import Inventory


def of_machine(inventory: Inventory, *, allowed: bool = False) -> Own:
    """The names: alone, as mDNS has it, and with each domain that is searched. Pure."""
    network = inventory.network
    short, _, domain = inventory.facts.name.lower().partition(".")
    domains = {"local", domain, *(one.lower() for port in network.interfaces for one in port.search)} - {""}
    return Own(
        names=frozenset({short, *(f"{short}.{domain}" for domain in domains)} - {""}),
        addresses=frozenset(
            str(ip_address(one.address.partition("%")[0]))
            for port in network.interfaces
            for one in port.addresses
        ),
        allowed=allowed,
    )

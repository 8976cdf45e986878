"""What this machine is called and which addresses it has, for the rule where messages may go."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

from django.conf import settings

from alerts.channels.hosts import Own
from host.inventory import Inventory
from jobs import cache


def own(*, allowed: bool = False) -> Own:
    """By the newest inventory. `allowed`: an admin lets messages go to this machine itself."""
    inventory = cache.current()
    allowed = allowed or settings.NASWEB_MESSAGES_TO_ITSELF
    return Own(allowed=allowed) if inventory is None else of_machine(inventory, allowed=allowed)


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


def is_here(address: str) -> bool:
    """Whether the kernel has `address` now, whatever the last probe saw: it is its own way there. No packet
    is sent for the answer."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    family = socket.AF_INET if found.version == 4 else socket.AF_INET6
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
        asked.connect((str(found), 9))
        return bool(asked.getsockname()[0] == str(found))
    return False

"""The machine's own names and addresses as they are now, for the rule where messages may go."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

from django.conf import settings

from alerts.channels.hosts import Own
from host.own_names import of_machine
from jobs import cache


def own(*, allowed: bool = False) -> Own:
    """By the newest inventory. `allowed`: an admin lets messages go to this machine itself."""
    inventory = cache.current()
    allowed = allowed or settings.NASWEB_MESSAGES_TO_ITSELF
    return Own(allowed=allowed) if inventory is None else of_machine(inventory, allowed=allowed)


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

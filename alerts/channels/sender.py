"""Who sends messages: this machine's name, and the address at which its console is reached."""

from __future__ import annotations

from django.conf import settings

from alerts.channels.words import Sender
from jobs import cache


def this_machine(time_zone: str) -> Sender:
    """By the newest inventory. Behind nginx the console answers to `<name>.local`."""
    inventory = cache.current()
    name = inventory.facts.name if inventory else "nas"
    if settings.HTTPS:
        address = f"https://{name if '.' in name else f'{name}.local'}"
    else:
        everywhere = settings.NASWEB_BIND in {"0.0.0.0", "::", ""}  # noqa: S104
        address = f"http://{name if everywhere else settings.NASWEB_BIND}:{settings.NASWEB_PORT}"
    return Sender(machine=name, address=address, time_zone=time_zone)

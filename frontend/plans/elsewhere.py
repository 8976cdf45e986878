"""Where the console can be opened after a change of the network, with the key that keeps the change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core import signing
from django.http import HttpRequest
from django.urls import reverse

from host.inventory import Inventory
from jobs.plan import Refused
from jobs.planning.shape import decode
from machine.network.set_network import SetNetwork, normal
from machine.network.warnings import wanted

_SALT = "network-keep"
_KEY_LASTS_S = 900  # long enough to read the plan; it opens nothing but the confirmation


def key_of(user: str) -> str:
    """A key in the address of the page that keeps a change: whoever opens it got there by the new address."""
    return signing.dumps(user, salt=_SALT)


def user_of(key: str) -> str | None:
    """Whose key it is; None for one that is none, or is old."""
    try:
        found = signing.loads(key, salt=_SALT, max_age=_KEY_LASTS_S)
    except signing.BadSignature:
        return None
    return found if isinstance(found, str) else None


def elsewhere(request: HttpRequest, data: Mapping[str, Any], inventory: Inventory | None) -> list[str]:
    """Where the console can be opened after a change of the network, with the key to keep it."""
    try:
        settings = normal(decode(SetNetwork, data))
    except Refused:
        return []
    path = reverse("network-keep", args=[key_of(request.user.get_username())])
    port = request.get_port()
    end = "" if port == ("443" if request.is_secure() else "80") else f":{port}"
    hosts = [f"[{one}]" if ":" in one else one for one in wanted(settings)]
    if inventory is not None:
        hosts.append(f"{inventory.naming.name}.local")
    return [f"{request.scheme}://{host}{end}{path}" for host in hosts]

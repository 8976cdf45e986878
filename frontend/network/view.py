"""The network as its pages show it: ports, what waits to be kept, and where the console is after a change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.core import signing
from django.http import HttpRequest
from django.urls import reverse

from frontend.access import why_shut
from frontend.states import StateView
from host.inventory import Interface, Inventory
from jobs.plan import Refused
from jobs.shape import decode
from machine.network.set_network import SetNetwork, normal, why_not
from machine.network.warnings import wanted

_SALT = "network-keep"
_KEY_LASTS_S = 900  # long enough to read the plan; it opens nothing but the confirmation
_UNDONE_TOLD_S = 86_400
_STATES = {
    "configured": StateView(tone="good", icon="circle-check", word="set up"),
    "configuring": StateView(tone="busy", icon="loader-circle", word="being set up"),
    "failed": StateView(tone="bad", icon="circle-x", word="not set up"),
}
_NO_CABLE = StateView(tone="idle", icon="unplug", word="no cable")


class PendingView(msgspec.Struct, frozen=True, kw_only=True):
    """A change that waits; `until` is ISO 8601, None where it is being taken back."""

    interface: str
    until: str | None
    why_shut: str | None


class PortView(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the list."""

    port: Interface
    state: StateView
    why_not: str | None

    @property
    def addresses(self) -> list[str]:
        """Those that lead here, with their prefixes, and whether the network gave them."""
        words = {"automatic": " by the network", "fixed": "", "link": ""}
        return [f"{one.address}/{one.prefix}{words[one.origin]}" for one in self.port.leads_here]


def pending_view(inventory: Inventory | None, request: HttpRequest) -> PendingView | None:
    """What waits to be kept."""
    pending = inventory.network.pending if inventory else None
    if pending is None:
        return None
    until = None if pending.until is None else datetime.fromtimestamp(pending.until, UTC).isoformat()
    shut = why_shut(request.user, "system:write")
    return PendingView(interface=pending.interface, until=until, why_shut=shut)


def undone_view(inventory: Inventory) -> Mapping[str, str] | None:
    """The change that was taken back, while it is news."""
    undone = inventory.network.undone
    if undone is None or datetime.now(UTC).timestamp() - undone.at > _UNDONE_TOLD_S:
        return None
    return {"interface": undone.interface, "at": datetime.fromtimestamp(undone.at, UTC).isoformat()}


def ports(inventory: Inventory) -> list[PortView]:
    """All interfaces: those with a cable first."""
    found = sorted(inventory.network.interfaces, key=lambda one: (one.kind == "virtual", not one.carrier))
    return [_port(one, inventory) for one in found]


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


def _port(one: Interface, inventory: Inventory) -> PortView:
    return PortView(port=one, state=_state(one), why_not=why_not(one, inventory))


def _state(one: Interface) -> StateView:
    if not one.carrier:
        return _NO_CABLE
    if one.manager == "networkd" and one.state in _STATES:
        return _STATES[one.state]
    word = (one.state or "unknown") if one.manager == "networkd" else "left alone"
    return StateView(tone="idle", icon="circle-dashed", word=word)

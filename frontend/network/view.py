"""The network as its pages show it: ports, and what waits to be kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec
from django.http import HttpRequest

from frontend.access import why_shut
from frontend.states import StateView
from host.inventory import Interface, Inventory
from machine.network.set_network import why_not

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
        words = {"automatic": " automatic", "fixed": "", "link": ""}
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


def _port(one: Interface, inventory: Inventory) -> PortView:
    return PortView(port=one, state=_state(one), why_not=why_not(one, inventory))


def _state(one: Interface) -> StateView:
    if not one.carrier:
        return _NO_CABLE
    if one.manager == "networkd" and one.state in _STATES:
        return _STATES[one.state]
    word = (one.state or "unknown") if one.manager == "networkd" else "not managed"
    return StateView(tone="idle", icon="circle-dashed", word=word)

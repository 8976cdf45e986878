"""Name, clock and network, as the API returns them."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from host.inventory import Interface, Inventory
from host.inventory.network import InterfaceKind, Manager, Origin
from machine.network.set_network import why_not
from machine.network.settings import Addressing, settings_now


class SettingsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Name and clock. `kept_name` is the name that comes back after a start, where it differs.

    `clock_synchronized` is null where it is not known.
    """

    name: str
    kept_name: str
    time_zone: str | None
    clock_synchronized: bool | None
    as_of: str


class AddressAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An address with the length of its network's prefix; `link` holds on its own cable alone."""

    address: str
    prefix: int
    origin: Origin


class InterfaceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A network interface: what it has, who decides on it, and how it is set up.

    `why_not` says why it cannot be set up here; null where it can. `dns` and `search` are those in use.
    `settings` are what would be sent to leave it as it is, derived from its addresses.
    """

    name: str
    mac: str
    kind: InterfaceKind
    carrier: bool
    mtu: int
    addresses: tuple[AddressAnswer, ...]
    gateways: tuple[str, ...]
    dns: tuple[str, ...]
    search: tuple[str, ...]
    manager: Manager
    state: str | None
    why_not: str | None
    settings: SettingsOfInterface


class SettingsOfInterface(msgspec.Struct, frozen=True, kw_only=True):
    """As a write takes it."""

    ipv4: Addressing
    ipv6: Addressing
    dns: tuple[str, ...]
    search: tuple[str, ...]


class PendingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A change that waits to be confirmed; `until` is null where it is being taken back already."""

    interface: str
    until: str | None


class UndoneAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The last change, which was taken back."""

    interface: str
    at: str


class NetworkAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All interfaces but the loopback, and what became of the last change."""

    interfaces: tuple[InterfaceAnswer, ...]
    pending: PendingAnswer | None
    undone: UndoneAnswer | None
    as_of: str


def settings_answer(inventory: Inventory) -> SettingsAnswer:
    """Name and clock."""
    naming = inventory.naming
    return SettingsAnswer(
        name=naming.name,
        kept_name=naming.kept,
        time_zone=naming.time_zone,
        clock_synchronized=naming.synchronized,
        as_of=inventory.as_of,
    )


def network_answer(inventory: Inventory) -> NetworkAnswer:
    """All of the network."""
    network = inventory.network
    pending, undone = network.pending, network.undone
    return NetworkAnswer(
        interfaces=tuple(interface_answer(one, inventory) for one in network.interfaces),
        pending=PendingAnswer(interface=pending.interface, until=_iso(pending.until)) if pending else None,
        undone=UndoneAnswer(interface=undone.interface, at=_iso(undone.at) or "") if undone else None,
        as_of=inventory.as_of,
    )


def interface_answer(one: Interface, inventory: Inventory) -> InterfaceAnswer:
    """One interface."""
    now = settings_now(one)
    return InterfaceAnswer(
        name=one.name,
        mac=one.mac,
        kind=one.kind,
        carrier=one.carrier,
        mtu=one.mtu,
        addresses=tuple(
            AddressAnswer(address=each.address, prefix=each.prefix, origin=each.origin)
            for each in one.addresses
        ),
        gateways=one.gateways,
        dns=one.dns,
        search=one.search,
        manager=one.manager,
        state=one.state,
        why_not=why_not(one, inventory),
        settings=SettingsOfInterface(ipv4=now.ipv4, ipv6=now.ipv6, dns=now.dns, search=now.search),
    )


def _iso(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")

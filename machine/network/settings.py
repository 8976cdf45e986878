"""What an interface shall have, and the file of systemd.network(5) that says so."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.inventory import Interface

Method = Literal["automatic", "fixed", "off"]
_Text = Annotated[str, Meta(max_length=300)]
_Few = Annotated[tuple[_Text, ...], Meta(max_length=8)]
_HEADING = (
    "# Written by Nasweb. A change by hand is shown and written over with the next change in the console.\n"
)


class Addressing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where addresses of one family come from: the network (DHCP, router), `addresses` such as
    192.168.1.20/24 with an optional `gateway`, or nowhere."""

    method: Method = "automatic"
    addresses: _Few = ()
    gateway: _Text = ""


class InterfaceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """All of an interface. `dns` and `search`, where given, replace what the network announces."""

    ipv4: Addressing = Addressing()
    ipv6: Addressing = Addressing()
    dns: tuple[str, ...] = ()
    search: tuple[str, ...] = ()


def render(settings: InterfaceSettings, mac: str) -> str:
    """The whole file. It matches the port itself, by its address, and nothing that is built on it."""
    v4, v6 = settings.ipv4, settings.ipv6
    network = [
        ("DHCP", "ipv4" if v4.method == "automatic" else "no"),
        ("IPv6AcceptRA", "yes" if v6.method == "automatic" else "no"),
        ("LinkLocalAddressing", "no" if v6.method == "off" else "ipv6"),
        *(("Address", address) for one in (v4, v6) for address in one.addresses),
        *(("Gateway", one.gateway) for one in (v4, v6) if one.gateway),
        *(("DNS", server) for server in settings.dns),
    ]
    if settings.search:
        network.append(("Domains", " ".join(settings.search)))
    match = [("MACAddress", mac), ("Type", "ether"), ("Kind", "!*")]
    text = _HEADING + _section("Match", match) + _section("Network", network)
    report = [("UseDNS", "no" if settings.dns else "yes"), ("UseDomains", "no" if settings.search else "yes")]
    if v4.method == "automatic":
        # By the port's own address: the lease stays the same after the system was installed anew.
        text += _section("DHCPv4", [("ClientIdentifier", "mac"), *report])
    if v6.method == "automatic":
        text += _section("DHCPv6", report) + _section("IPv6AcceptRA", report)
    return text


def read(text: str, mac: str) -> InterfaceSettings | None:
    """What a file of ours says; None for one that somebody changed by hand."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals:
            found.setdefault(key, []).append(value)
    addresses, gateways = found.get("Address", []), found.get("Gateway", [])
    settings = InterfaceSettings(
        ipv4=_addressing(4, addresses, gateways, automatic=found.get("DHCP") == ["ipv4"]),
        ipv6=_addressing(6, addresses, gateways, automatic=found.get("IPv6AcceptRA") == ["yes"]),
        dns=tuple(found.get("DNS", [])),
        search=tuple(word for words in found.get("Domains", []) for word in words.split()),
    )
    if settings.ipv6.method == "off" and found.get("LinkLocalAddressing") == ["ipv6"]:
        return None
    return settings if render(settings, mac) == text else None


def settings_now(interface: Interface) -> InterfaceSettings:
    """What an interface has: by our file, or else by its addresses."""
    if interface.ours is not None and (known := read(interface.ours, interface.mac)) is not None:
        return known
    fixed = [f"{one.address}/{one.prefix}" for one in interface.addresses if one.origin == "fixed"]
    asked = {one.family for one in interface.addresses if one.origin == "automatic"}
    v4 = _addressing(4, fixed, list(interface.gateways), automatic=4 in asked)
    v6 = _addressing(6, fixed, list(interface.gateways), automatic=6 in asked)
    return InterfaceSettings(
        ipv4=v4 if v4.method == "fixed" else Addressing(),
        ipv6=v6 if v6.method == "fixed" else Addressing(),
        dns=interface.dns if v4.method == "fixed" else (),
        search=interface.search if v4.method == "fixed" else (),
    )


def _addressing(family: int, addresses: list[str], gateways: list[str], *, automatic: bool) -> Addressing:
    mine = tuple(one for one in addresses if (":" in one) == (family == 6))
    if automatic or not mine:
        return Addressing(method="automatic" if automatic else "off")
    gateway = next((one for one in gateways if (":" in one) == (family == 6)), "")
    return Addressing(method="fixed", addresses=mine, gateway=gateway)


def _section(name: str, lines: list[tuple[str, str]]) -> str:
    return f"\n[{name}]\n" + "".join(f"{key}={value}\n" for key, value in lines)

"""Checks of addresses, gateways and servers. Each function returns one thing's fault, or None."""

from __future__ import annotations

import ipaddress
import re
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface

_DOMAIN = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*",
    re.ASCII | re.IGNORECASE,  # else “ſ” would be an s
)
_EXAMPLES = {4: "192.168.1.20/24", 6: "fd12:3456:789a::20/64"}
_POINT_TO_POINT = {4: 31, 6: 127}  # RFC 3021, RFC 6164: such networks have no address of their own


def address(text: str, family: int) -> IPv4Interface | IPv6Interface | str:
    """An address with its prefix that an interface can have, or why not."""
    example = _EXAMPLES[family]
    if "/" not in text:
        return f"Enter it with its prefix length, such as {example}."
    try:
        found = ipaddress.ip_interface(text)
    except ValueError:
        return f"“{text[:60]}” is not an address. Enter one such as {example}."
    if found.version != family or "%" in text:
        return f"Enter an IPv{family} address here, such as {example}."
    if "/" in text and not text.partition("/")[2].isdecimal():
        return f"Enter the prefix length as a number, such as {example}."
    return _fault_of_host(found) or found


def _fault_of_host(found: IPv4Interface | IPv6Interface) -> str | None:
    if found.ip.is_loopback or found.ip.is_multicast or found.ip.is_unspecified or found.ip.is_link_local:
        return f"{found.ip} cannot be the address of a machine on a network."
    if found.version == 4 and (found.ip.is_reserved or found.network.prefixlen == 0):
        return f"{found} cannot be the address of a machine on a network."
    if found.network.prefixlen >= _POINT_TO_POINT[found.version]:
        return None
    if found.ip == found.network.network_address:
        return f"{found.ip} is the address of the network itself. Machines use the addresses after it."
    if found.version == 4 and found.ip == found.network.broadcast_address:
        return f"{found.ip} is the broadcast address of its network. Use an address before it."
    return None


def gateway_fault(text: str, family: int, addresses: tuple[IPv4Interface | IPv6Interface, ...]) -> str | None:
    """Why packets cannot be sent by it; None where they can."""
    found = _host(text, family)
    if found is None:
        return f"“{text[:60]}” is not an IPv{family} address. Enter the router's, without a prefix."
    if family == 6 and found.is_link_local:
        return None
    if any(found == one.ip for one in addresses):
        return f"{found} is this machine's own address. Enter the router's."
    for one in addresses:
        if found in one.network:
            return _fault_of_host(ipaddress.ip_interface(f"{found}/{one.network.prefixlen}"))
    networks = ", ".join(str(one.network) for one in addresses)
    return f"{found} is not in {networks}: the machine could not reach it." if networks else None


def server_fault(text: str) -> str | None:
    """Why it cannot be the address of a DNS server; None where it can."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return f"“{text[:60]}” is not an address. Enter the server's address, such as 192.168.1.1."
    if found.is_multicast or found.is_unspecified or "%" in text:
        return f"{found} cannot be the address of a server."
    return None


def domain_fault(text: str) -> str | None:
    """Why it cannot be a search domain; None where it can."""
    return None if _DOMAIN.fullmatch(text) else f"“{text[:60]}” is not a domain. Enter one such as home.arpa."


def _host(text: str, family: int) -> IPv4Address | IPv6Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return found if found.version == family and "%" not in text else None

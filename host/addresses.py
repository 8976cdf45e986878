"""Which servers this machine may be sent to: any but itself, and what has no address of its own.

Whoever may name a server could otherwise have this machine knock at doors that only it can see: services on
the loopback, those that trust its own address, and the metadata of clouds at 169.254.169.254.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal

import msgspec

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)", re.ASCII | re.IGNORECASE)
_NAT64 = ip_network("64:ff9b::/96")  # RFC 6052: servers of the old Internet, seen from a network without it
Problem = Literal["no-name", "itself", "link-local", "not-one"]


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """What this machine is called and the addresses that it has. With `allowed` it may be sent there, to the
    loopback and to link-local addresses too: an admin said so."""

    names: frozenset[str] = frozenset()  # in lower case
    addresses: frozenset[str] = frozenset()  # as `ipaddress` writes them
    allowed: bool = False


UNKNOWN = Own()


def problem_of_host(host: str, own: Own = UNKNOWN) -> Problem | None:
    """What is wrong with `host`, a name or an address as it was typed; None where nothing is."""
    if (address := _address(host)) is not None:
        return problem_of_address(address, own)
    plain = host.removesuffix(".").lower()
    labels = plain.split(".")
    # 127.1 and 0x7f000001 are addresses too, to the resolver.
    if (
        len(host) > 253
        or not all(_LABEL.fullmatch(label) for label in labels)
        or _NUMBER.fullmatch(labels[-1])
    ):
        return "no-name"
    loopback = labels[-1] in {"localhost", "localdomain"} or plain.startswith("ip6-localhost")
    return "itself" if (loopback or plain in own.names) and not own.allowed else None


def problem_of_address(address: IPv4Address | IPv6Address | str, own: Own = UNKNOWN) -> Problem | None:
    """What is wrong with `address`; None where nothing is."""
    found = ip_address(address.partition("%")[0]) if isinstance(address, str) else address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found.is_multicast or (found.is_reserved and not found.is_loopback and found not in _NAT64):
        return "not-one"
    if own.allowed:
        return None
    if found.is_loopback or found.is_unspecified or str(found) in own.addresses:
        return "itself"
    return "link-local" if found.is_link_local else None


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.removeprefix("[").removesuffix("]").partition("%")[0])
    except ValueError:
        return None

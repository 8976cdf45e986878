"""Where messages may go: anywhere but to this machine itself and to what has no address of its own.

Whoever may set up channels could otherwise have the worker knock at doors that only this machine can see:
services on the loopback, those that trust its own address, and the metadata of clouds at 169.254.169.254.
An admin may allow it, channel by channel. A name is looked up by the worker just before it sends; on an
installed machine the unit's own address filter stands behind this.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import msgspec

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)", re.ASCII | re.IGNORECASE)
_NAT64 = ip_network("64:ff9b::/96")  # RFC 6052: servers of the old Internet, seen from a network without it
ITSELF = (
    "This leads to the NAS itself, which can notify nobody once it fails. Use another server; for a channel "
    "an admin can allow it."
)
_LINK_LOCAL = (
    "Link-local addresses mean something different on each network port. Use another one; for a channel an "
    "admin can allow them."
)
_NO_NAME = "Enter the name of a server, such as push.example.org, or its address."


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """What this machine is called and the addresses that it has. With `allowed` messages may go there, to the
    loopback and to link-local addresses too: an admin said so."""

    names: frozenset[str] = frozenset()  # in lower case
    addresses: frozenset[str] = frozenset()  # as `ipaddress` writes them
    allowed: bool = False


UNKNOWN = Own()


def fault_of_host(host: str, own: Own = UNKNOWN) -> str:
    """Why no message goes to `host`, a name or an address as it was typed; empty where one may."""
    if (address := _address(host)) is not None:
        return fault_of_address(address, own)
    plain = host.removesuffix(".").lower()
    labels = plain.split(".")
    # 127.1 and 0x7f000001 are addresses too, to the resolver.
    if (
        len(host) > 253
        or not all(_LABEL.fullmatch(label) for label in labels)
        or _NUMBER.fullmatch(labels[-1])
    ):
        return _NO_NAME
    loopback = labels[-1] in {"localhost", "localdomain"} or plain.startswith("ip6-localhost")
    return ITSELF if (loopback or plain in own.names) and not own.allowed else ""


def fault_of_address(address: IPv4Address | IPv6Address | str, own: Own = UNKNOWN) -> str:
    """Why no message goes to `address`; empty where one may."""
    found = ip_address(address.partition("%")[0]) if isinstance(address, str) else address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found.is_multicast or (found.is_reserved and not found.is_loopback and found not in _NAT64):
        return "This is not the address of one server."
    if own.allowed:
        return ""
    if found.is_loopback or found.is_unspecified or str(found) in own.addresses:
        return ITSELF
    return _LINK_LOCAL if found.is_link_local else ""


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.removeprefix("[").removesuffix("]").partition("%")[0])
    except ValueError:
        return None

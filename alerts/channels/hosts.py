"""Where messages may go: anywhere but to this machine itself and to what has no address of its own.

Whoever may set up channels could otherwise have the worker knock at doors that only this machine can see:
services on the loopback, and the metadata of clouds at 169.254.169.254. A name is looked up by the worker
just before it sends; on an installed machine the unit's own address filter stands behind this.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)", re.ASCII | re.IGNORECASE)
_NAT64 = ip_network("64:ff9b::/96")  # RFC 6052: servers of the old Internet, seen from a network without it
_ITSELF = "This leads to the NAS itself, so nobody would be notified. Use the server's name or address."
_NO_NAME = "Enter the name of a server, such as push.example.org, or its address."


def fault_of_host(host: str, *, itself: bool = False) -> str:
    """Why no message goes to `host`, a name or an address as it was typed; empty where one may.

    With `itself` this machine's own addresses may be used too.
    """
    if (address := _address(host)) is not None:
        return "" if itself else fault_of_address(address)
    labels = host.removesuffix(".").split(".")
    # 127.1 and 0x7f000001 are addresses too, to the resolver.
    if (
        len(host) > 253
        or not all(_LABEL.fullmatch(label) for label in labels)
        or _NUMBER.fullmatch(labels[-1])
    ):
        return _NO_NAME
    own = labels[-1].lower() in {"localhost", "localdomain"} or host.lower().startswith("ip6-localhost")
    return _ITSELF if own and not itself else ""


def fault_of_address(address: IPv4Address | IPv6Address | str) -> str:
    """Why no message goes to `address`; empty where one may."""
    found = ip_address(address.partition("%")[0]) if isinstance(address, str) else address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found.is_loopback or found.is_unspecified:
        return _ITSELF
    if found.is_link_local:
        return "Link-local addresses cannot be used: they mean something different on each network port."
    if found.is_multicast or (found.is_reserved and found not in _NAT64):
        return "This is not the address of one server."
    return ""


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.removeprefix("[").removesuffix("]").partition("%")[0])
    except ValueError:
        return None

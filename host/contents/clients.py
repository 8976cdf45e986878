"""Who may mount an export, as exports(5) reads it."""

from __future__ import annotations

import ipaddress
import re

_LABEL = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")
_LONGEST_NAME = 253


def client_fault(host: str) -> str | None:
    """Why that names no client; None when it does."""
    if host == "*":
        return None
    if re.fullmatch(r"[0-9.]+(?:/[0-9]+)?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:/[0-9]+)?", host):
        return _address_fault(host)
    if len(host) > _LONGEST_NAME or not _NAME.fullmatch(host):
        return "Give a host name, an address, a network such as 192.168.1.0/24, or * for every machine."
    return None


def is_name(host: str) -> bool:
    """Whether it has to be resolved: a name, and no address, no network and not everybody."""
    return host != "*" and ":" not in host and not re.fullmatch(r"[0-9.]+(?:/[0-9]+)?", host)


def _address_fault(host: str) -> str | None:
    try:
        ipaddress.ip_network(host, strict=True)
    except ValueError:
        try:
            meant = ipaddress.ip_network(host, strict=False)
        except ValueError:
            return f"{host} is neither an address nor a network."
        return f"{host} is an address within a network. Do you mean {meant}?"
    return None


def is_wide(host: str) -> bool:
    """Whether it lets in machines that are not of a private network."""
    if host == "*":
        return True
    try:
        return not ipaddress.ip_network(host).is_private
    except ValueError:
        return False

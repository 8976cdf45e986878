"""Our files of systemd.network(5), and /etc/hosts: which lines may be in them."""

from __future__ import annotations

import ipaddress
import re

_COMMENT = re.compile(r"[#;][^\x00-\x1f\x7f\\]*")
_SECTION = re.compile(r"\[(?:Match|Network|DHCPv4|DHCPv6|IPv6AcceptRA)\]")
_CHOICES = {
    "Type": "ether",
    "Kind": r"!\*",
    "DHCP": "ipv4|no",
    "IPv6AcceptRA": "yes|no",
    "LinkLocalAddressing": "no|ipv6",
    "ClientIdentifier": "mac",
    "UseDNS": "yes|no",
    "UseDomains": "yes|no",
    "Domains": r"[a-z0-9.\-]+(?: [a-z0-9.\-]+)*",
}
_HEADING = re.compile(r"\[[A-Za-z0-9]{1,40}\]")
_SETTING = re.compile(r"[A-Za-z0-9]{1,60}[ \t]*=[^\x00-\x08\x0a-\x1f\x7f]*")
_HOST_LINE = re.compile(r"(?P<address>[0-9A-Za-z:.%]+)(?:[ \t]+[A-Za-z0-9._\-]+)+[ \t]*(?:#.*)?")


def interface_fault(text: str, mac: str) -> str | None:
    """The first line that the console does not write for the interface with that address."""
    for line in text.split("\n"):
        key, equals, value = line.partition("=")
        if not line or _COMMENT.fullmatch(line) or _SECTION.fullmatch(line):
            continue
        if not equals or not _good(key, value, mac):
            return f"The file of an interface may not hold the line “{line[:80]}”."
    return None


def _good(key: str, value: str, mac: str) -> bool:
    if key == "MACAddress":
        return value == mac
    try:
        if key == "Address":
            return "%" not in value and bool(ipaddress.ip_interface(value))
        if key in {"Gateway", "DNS"}:
            return "%" not in value and bool(ipaddress.ip_address(value))
    except ValueError:
        return False
    return key in _CHOICES and re.fullmatch(_CHOICES[key], value) is not None


def kept_fault(text: str) -> str | None:
    """What is wrong with a file that may have been changed by hand; None where nothing is. Any setting of
    systemd.network(5) is allowed, as none starts a program; no line is continued, so each stands alone."""
    for line in text.split("\n"):
        bare = line.strip(" \t")
        if not bare or _COMMENT.fullmatch(bare) or _HEADING.fullmatch(bare):
            continue
        if not _SETTING.fullmatch(bare) or bare.endswith("\\"):
            return f"The file has the line “{line[:80]}”, which the console cannot put back."
    return None


def hosts_fault(text: str) -> str | None:
    """The first line of /etc/hosts that is neither a comment nor an address with names."""
    for line in text.split("\n"):
        bare = line.strip(" \t\r")
        if not bare or bare.startswith("#"):
            continue
        found = _HOST_LINE.fullmatch(bare)
        if found is None or not _is_address(found["address"]):
            return f"/etc/hosts has the line “{line[:80]}”, which names no machine. Mend it by hand first."
    return None


def _is_address(text: str) -> bool:
    try:
        return bool(ipaddress.ip_address(text))
    except ValueError:
        return False

"""What operations on the machine itself are called, and the pages that they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

_TITLES = {
    "machine.set-name": "Call the machine {name}",
    "machine.set-time-zone": "Set the time zone to {time_zone}",
    "network.set": "Set up {interface}",
    "network.confirm": "Keep the network as it is",
    "network.revert": "Take the change of the network back",
    "configuration.keep": "Write a copy of the settings",
    "configuration.follow": "Copies of the settings by the clock",
    "configuration.set-copies": "Change what copies of the settings hold",
    "configuration.restore": "Restore all settings",
}
_NETWORK = ("Network", "/settings/network/")


def title(operation: str, data: Mapping[str, Any]) -> str | None:
    """`Call the machine attic`; None for what is none of this."""
    words = {name: str(data.get(name, "")) for name in ("name", "time_zone", "interface")}
    template = _TITLES.get(operation)
    return template.format(**words) if template else None


def origin(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that the operation is asked for on."""
    if operation.startswith("configuration."):
        return "Copies of the settings", "/settings/copies/"
    if operation.startswith("machine."):
        return "Name and clock", "/settings/machine/"
    name = str(data.get("interface", ""))
    return (name, interface_href(name)) if name else _NETWORK


def outcome(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that shows what it left."""
    if operation == "network.set":
        return "Keep it or take it back", "/settings/network/"
    return origin(operation, data)


def interface_href(name: str) -> str:
    """The page that sets an interface up."""
    return f"/settings/network/{quote(name, safe='')}/"

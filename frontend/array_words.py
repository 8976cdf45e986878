"""What operations on md arrays are called, and the pages that they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

_TITLES = {
    "array.create": "Create array {name}",
    "array.add": "Add a disk to array {name}",
    "array.replace": "Replace a disk of array {name}",
    "array.remove": "Take a disk out of array {name}",
    "array.check": "Check array {name}",
    "array.start": "Start array {name}",
    "array.grow": "Let array {name} grow",
    "array.destroy": "Destroy array {name}",
}


def title(operation: str, data: Mapping[str, Any]) -> str | None:
    """`Create array backup`; None for what is none of this."""
    template = _TITLES.get(operation)
    if operation == "array.check" and data.get("action") == "stop":
        template = "Stop the check of array {name}"
    return template.format(name=data.get("name", "")) if template else None


def origin(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that the operation is asked for on."""
    if operation == "array.create":
        return "New array", "/create/array/"
    name = str(data.get("name", ""))
    return name, array_href(name)


def outcome(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that shows what it made or left."""
    if operation == "array.destroy":
        return "Arrays", "/arrays/"
    name = str(data.get("name", ""))
    return f"Open {name}", array_href(name)


def array_href(name: str) -> str:
    """The page of an array."""
    return f"/arrays/{quote(name, safe='')}/"

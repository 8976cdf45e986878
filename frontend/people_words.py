"""What is done with people and groups of the shares is called, and the pages it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

_TITLES = {
    "person.create": "Create {name}",
    "person.change": "Change {name}",
    "person.password": "Give {name} a password",
    "person.delete": "Delete {name}",
    "group.create": "Create the group {name}",
    "group.change": "Change who is in {name}",
    "group.delete": "Delete the group {name}",
}


def title(operation: str, data: Mapping[str, Any]) -> str | None:
    """`Create anna`; None for what is none of this."""
    words = _TITLES.get(operation)
    named = data.get("name")
    kind = operation.partition(".")[0]
    return words.format(name=named if isinstance(named, str) and named else f"a {kind}") if words else None


def origin(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that it is asked for on."""
    if operation == "person.create":
        return "New person", "/create/person/"
    if operation == "group.create":
        return "New group", "/create/group/"
    name = str(data.get("name", ""))
    return name, person_href(name) if operation.startswith("person.") else group_href(name)


def outcome(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that shows what it made or left."""
    if operation in {"person.delete", "group.delete"}:
        return "People and groups", "/people/"
    name = str(data.get("name", ""))
    href = person_href(name) if operation.startswith("person.") else group_href(name)
    return f"Open {name}", href


def person_href(name: str) -> str:
    """The page of a person."""
    return f"/people/{quote(name, safe='')}/"


def group_href(name: str) -> str:
    """The page of a group."""
    return f"/groups/{quote(name, safe='')}/"

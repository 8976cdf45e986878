"""Names that people and groups of the shares may have, and errors for others."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from host.inventory import Accounts, Inventory, Person
from host.inventory.people import FULL_NAME_PATTERN, LONGEST_FULL_NAME, NAME_PATTERN
from jobs.planning.findings import Findings

NameText = Annotated[str, Meta(max_length=1024)]
Names = Annotated[tuple[NameText, ...], Meta(max_length=100)]
_PORTS = {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
_DEVICES = {"con", "prn", "aux", "nul"} | _PORTS
_MEANINGS = {
    "root": "it has full access in Samba",
    "administrator": "Windows gives it full access",
    "nobody": "it is the name of guests",
    "guest": "it is the name of guests",
    "everyone": "in Windows it means everybody",
    "global": "it is a section of Samba's settings",
    "homes": "Samba shares home folders under that name",
    "printers": "Samba shares printers under that name",
}
_FORM = (
    "Use 1 to 31 lower-case letters a to z, digits, hyphens and underscores, starting with a letter or an "
    "underscore."
)


def check_new_name(name: str, accounts: Accounts, findings: Findings) -> None:
    """Errors about the name of a person or group that is to be made. Both share one set of names, as they
    do in Windows, with all accounts and groups of the system."""
    if not re.fullmatch(NAME_PATTERN, name):
        findings.error("bad-name", "name", _FORM)
    elif name in _DEVICES:
        message = (
            f"In Windows, {name} is a device, and a folder of that name cannot be opened. Choose another "
            "name."
        )
        findings.error("reserved-name", "name", message)
    elif name in _MEANINGS:
        findings.error("reserved-name", "name", f"{name} is taken: {_MEANINGS[name]}. Choose another.")
    elif accounts.person(name) is not None:
        findings.error("name-taken", "name", f"There is a person {name} already.")
    elif accounts.group(name) is not None:
        findings.error("name-taken", "name", f"There is a group {name} already.")
    elif taken := next((o for o in (*accounts.uids, *accounts.gids) if o.lower() == name), None):
        message = f"{taken} is an account or a group of the system. Choose another name."
        findings.error("name-taken", "name", message)


def check_full_name(text: str | None, findings: Findings) -> None:
    """An error about a full name that the system's list of accounts cannot hold."""
    if text is not None and (len(text) > LONGEST_FULL_NAME or not re.fullmatch(FULL_NAME_PATTERN, text)):
        message = f"Use at most {LONGEST_FULL_NAME} characters, without colons, commas and equals signs."
        findings.error("bad-full-name", "full_name", message)


def found_person(name: str, inventory: Inventory, findings: Findings) -> Person:
    """The person of that name. Raises `Refused`."""
    person = inventory.accounts.person(name)
    if person is None:
        findings.refuse("unknown-person", "name", "There is no person of that name.")
    return person


def check_groups(names: tuple[str, ...], accounts: Accounts, findings: Findings) -> None:
    """Errors about groups that somebody is to be in."""
    for index, name in enumerate(names):
        if accounts.group(name) is None:
            message = f"There is no group {name[:60]}. Create it first, or leave it out."
            findings.error("unknown-group", f"groups[{index}]", message)
        elif name in names[:index]:
            findings.error("twice", f"groups[{index}]", f"{name} is listed twice.")


def check_members(names: tuple[str, ...], accounts: Accounts, findings: Findings) -> None:
    """Errors about people who are to be in a group."""
    for index, name in enumerate(names):
        if accounts.person(name) is None:
            message = f"There is no person {name[:60]}. Create them first, or leave them out."
            findings.error("unknown-person", f"members[{index}]", message)
        elif name in names[:index]:
            findings.error("twice", f"members[{index}]", f"{name} is listed twice.")


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Up to ten of them, and how many more."""
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return f"{', '.join(names[:10])}{more}"

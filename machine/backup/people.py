"""Which accounts a restore has to make or change, so that people come back with the numbers they had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from host.backup.manifest import KeptPeople
from host.commands.closed import AnyCommand
from host.commands.shares.accounts import (
    AddGroup,
    AddPerson,
    ChangePerson,
    RemoveFromSamba,
    RemoveGroup,
    RemovePerson,
    SetMembers,
)
from host.inventory import Accounts, Inventory
from jobs.planning.findings import Findings


class Return(NamedTuple):
    """Commands that bring people and groups back, and those that remove them again."""

    forward: tuple[AnyCommand, ...]
    back: tuple[AnyCommand, ...]


def bring_back(kept: KeptPeople, inventory: Inventory, findings: Findings) -> Return:
    """Errors name whoever stands in the way: file permissions go by numbers, so these must be the same."""
    accounts = inventory.accounts
    _clashes(kept, accounts, findings)
    new_groups = [one for one in kept.groups if accounts.group(one.name) is None]
    new_people = [one for one in kept.people if accounts.person(one.name) is None]
    forward: list[AnyCommand] = [AddGroup(name=one.name, gid=one.gid) for one in new_groups]
    forward += [AddPerson(name=one.name, uid=one.uid, full_name=one.full_name) for one in new_people]
    forward += _renamed(kept, accounts)
    forward += _members(kept, accounts)
    back: list[AnyCommand] = []
    for one in new_people:
        back += [RemoveFromSamba(name=one.name)] if one.password else []
        back.append(RemovePerson(name=one.name))
    back += [RemoveGroup(name=one.name) for one in new_groups]
    return Return(tuple(forward), tuple(back))


def _clashes(kept: KeptPeople, accounts: Accounts, findings: Findings) -> None:
    numbers = {number: name for name, number in accounts.uids.items()}
    for one in kept.people:
        _clash("person", one.name, one.uid, accounts.uids.get(one.name), numbers.get(one.uid), findings)
    numbers = {number: name for name, number in accounts.gids.items()}
    for group in kept.groups:
        _clash(
            "group", group.name, group.gid, accounts.gids.get(group.name), numbers.get(group.gid), findings
        )


def _clash(
    kind: str, name: str, number: int, has: int | None, holder: str | None, findings: Findings
) -> None:
    if has is not None and has != number:
        message = (
            f"The {kind} {name} has the number {has} here and had {number} there. File permissions depend "
            f"on the number: delete {name} here first, and it is restored with its own."
        )
        findings.error(f"{kind}-has-other-number", "copy", message)
    elif has is None and holder is not None:
        message = (
            f"The {kind} {name} had the number {number}, which {holder} has here. Delete {holder} here first."
        )
        findings.error(f"{kind}-number-taken", "copy", message)


def _renamed(kept: KeptPeople, accounts: Accounts) -> Iterator[AnyCommand]:
    for one in kept.people:
        found = accounts.person(one.name)
        if found is not None and found.full_name != one.full_name:
            yield ChangePerson(name=one.name, full_name=one.full_name)


def _members(kept: KeptPeople, accounts: Accounts) -> Iterator[AnyCommand]:
    known = {one.name for one in kept.people} | {one.name for one in accounts.people}
    for group in kept.groups:
        wanted = tuple(name for name in group.members if name in known)
        found = accounts.group(group.name)
        if set(wanted) != set(found.members if found else ()):
            yield SetMembers(group=group.name, members=wanted)

"""Converts who may read and write to an access control list, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from host.files.acl import Acl, Named
from host.inventory import Accounts
from host.inventory.people import EVERYBODY
from shares.rights.effective import BITS

Choice = Literal["none", "read", "write"]
OWNER = 0  # root: so that nobody can change the rights of a share's own folder


class Granted(msgspec.Struct, frozen=True, kw_only=True):
    """Who may read, who may write (and read), by names; groups with a leading @. And everyone else."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    everyone: Choice = "none"


def wanted(granted: Granted, accounts: Accounts) -> Acl:
    """The list for all of them, whose names are known. `@nasweb-people` is the folder's own group."""
    users: dict[int, int] = {}
    groups: dict[int, int] = {}
    people = BITS[granted.everyone]
    for names, bits in ((granted.read, BITS["read"]), (granted.write, BITS["write"])):
        for name in names:
            if name == f"@{EVERYBODY}":
                people = max(people, bits)
            elif name.startswith("@"):
                groups[accounts.gids[name[1:]]] = bits
            else:
                users[accounts.uids[name]] = bits
    named = (*users.values(), *groups.values())
    return Acl(
        owner=7,
        users=tuple(Named(*one) for one in sorted(users.items())),
        group=people,
        groups=tuple(Named(*one) for one in sorted(groups.items())),
        mask=_union((people, *named)) if named else None,
        other=BITS[granted.everyone],
    )


def _union(bits: Iterable[int]) -> int:
    found = 0
    for one in bits:
        found |= one
    return found


def choice(bits: int) -> Choice:
    """What an entry is called in the editor: the most that its bits hold."""
    if bits & BITS["write"] == BITS["write"]:
        return "write"
    return "read" if bits & BITS["read"] == BITS["read"] else "none"


def granted_by(listed: Acl, group: int, accounts: Accounts) -> Granted:
    """What a list grants to people and groups of the shares; entries of others are left out."""
    entries = {one.name: _of(listed, listed.users, one.uid) for one in accounts.people}
    for one in accounts.groups:
        if one.name != EVERYBODY:
            entries[f"@{one.name}"] = _of(listed, listed.groups, one.gid)
    everyone = choice(listed.other)
    everybody = choice(listed.masked(listed.group))
    if group == accounts.gids.get(EVERYBODY) and everybody != everyone:
        entries[f"@{EVERYBODY}"] = everybody
    return Granted(
        read=tuple(name for name, level in entries.items() if level == "read"),
        write=tuple(name for name, level in entries.items() if level == "write"),
        everyone=everyone,
    )


def _of(listed: Acl, entries: tuple[Named, ...], number: int) -> Choice:
    return choice(next((listed.masked(one.bits) for one in entries if one.number == number), 0))

"""What an access control list comes to for a person, and why: the access check of acl(5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from host.files import acl
from host.files.acl import Acl
from host.files.answers import FolderRights
from host.inventory import Accounts, Group, Person
from host.inventory.people import EVERYBODY

Level = Literal[
    "none", "some", "read", "write"
]  # some: bits that are neither reading nor writing as meant here
Kind = Literal["owner", "user", "group", "other"]
BITS: dict[str, int] = {"none": 0, "read": acl.READ | acl.EXECUTE, "write": 7}
ORDER: tuple[Level, ...] = ("none", "some", "read", "write")
_NOBODY = -1  # the number of somebody who is only a member of groups


class Who(NamedTuple):
    """Somebody, as the kernel sees them."""

    uid: int
    gids: frozenset[int]


class Matched(NamedTuple):
    """An entry that counts for somebody; `left` is what the mask leaves of its `bits`."""

    kind: Kind
    number: int
    bits: int
    left: int


class Right(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may do with a folder. `letters` as in `r-x`; `why` is a sentence or more."""

    level: Level
    letters: str
    because: Kind
    why: str


def matching(listed: Acl, owner: int, group: int, who: Who) -> tuple[Matched, ...]:
    """The entries that count: the owner's alone, or a person's own, or all of their groups, or the last."""
    if who.uid == owner:
        return (Matched("owner", owner, listed.owner, listed.owner),)
    for one in listed.users:
        if one.number == who.uid:
            return (Matched("user", one.number, one.bits, listed.masked(one.bits)),)
    found = [Matched("group", group, listed.group, listed.masked(listed.group))] if group in who.gids else []
    found += [
        Matched("group", one.number, one.bits, listed.masked(one.bits))
        for one in listed.groups
        if one.number in who.gids
    ]
    return tuple(found) or (Matched("other", 0, listed.other, listed.other),)


def allowed(entries: tuple[Matched, ...], want: int) -> bool:
    """Whether one of these entries alone has all the bits that are wanted."""
    return any(one.left & want == want for one in entries)


def person_of(person: Person, accounts: Accounts) -> Who:
    """A person with all their groups."""
    numbers = {group.gid for group in accounts.groups if person.name in group.members}
    numbers |= {accounts.gids[name] for name in (*person.groups, EVERYBODY) if name in accounts.gids}
    return Who(person.uid, frozenset(numbers))


def member_of(group: Group, accounts: Accounts) -> Who:
    """Somebody who is in that group and in no other."""
    everybody = accounts.gids.get(EVERYBODY)
    return Who(_NOBODY, frozenset({group.gid} | ({everybody} if everybody is not None else set())))


def effective(rights: FolderRights, name: str, who: Who, names: Mapping[int, str]) -> Right:
    """What `who`, called `name`, may do; `names` are those of groups by their numbers."""
    entries = matching(acl.parse(rights.access), rights.owner, rights.group, who)
    bits = sum(bit for bit in (acl.READ, acl.WRITE, acl.EXECUTE) if allowed(entries, bit))
    level = _level(entries, bits)
    counting = (
        tuple(one for one in entries if one.left & BITS[level] == BITS[level]) if level in BITS else entries
    )
    return Right(
        level=level,
        letters=acl.letters(bits),
        because=entries[0].kind,
        why=f"{_why(name, level, bits, counting or entries, names)}{_cut(entries)}",
    )


def _level(entries: tuple[Matched, ...], bits: int) -> Level:
    if allowed(entries, BITS["write"]):
        return "write"
    if allowed(entries, BITS["read"]):
        return "read"
    return "some" if bits else "none"


def may(level: Level, bits: int) -> str:
    """`may read and write`."""
    if level == "some":
        return f"has only {acl.letters(bits)}, which is not enough to read or write here"
    return {"none": "may do nothing", "read": "may read", "write": "may read and write"}[level]


def _why(name: str, level: Level, bits: int, entries: tuple[Matched, ...], names: Mapping[int, str]) -> str:
    can = may(level, bits)
    match entries[0].kind:
        case "owner":
            return f"{name} owns this folder, and as its owner {can}."
        case "user":
            return (
                f"{name} {can}: that is their own entry, and permissions of groups do not count besides it."
            )
        case "other":
            return (
                f"{name} {can}: there is no entry for them or for one of their groups, so the permission "
                "for everyone else counts."
            )
    through = " and ".join(dict.fromkeys(names.get(one.number, str(one.number)) for one in entries))
    if level == "none":
        return f"{name} has no access: they are in {through}, which counts before everyone else."
    return f"{name} {can}, because {through} may."


def _cut(entries: tuple[Matched, ...]) -> str:
    one = next((one for one in entries if one.left != one.bits), None)
    if one is None:
        return ""
    return f" The mask cuts an entry from {acl.letters(one.bits)} to {acl.letters(one.left)}."

"""Parsers of passwd(5), group(5) and pdbedit(8): the people and groups of the shares."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Literal, NamedTuple

import msgspec

from host.base import CommandFailed, Host
from host.commands.facts import ReadFact
from host.commands.shares.accounts import SambaAccounts, SambaMark
from host.inventory.people import (
    FIRST_GROUP,
    FIRST_PERSON,
    LAST_GROUP,
    LAST_PERSON,
    Accounts,
    Group,
    Person,
)
from host.lines import lines

_NOT_FOUND = 127
_LASTS_S = 300.0
# What stands for "never" in 32 bits: Samba's latest time cut to them, and the latest that fits with a sign.
_NEVER = {"2036-02-06 15:06:39", "2038-01-19 03:14:07"}


class AccountRow(NamedTuple):
    """A line of passwd(5) or group(5): a name, its number, and what stands behind that."""

    name: str
    number: int
    rest: tuple[str, ...]


class SambaAccount(msgspec.Struct, frozen=True, kw_only=True):
    """What Samba knows of somebody."""

    enabled: bool
    expires: str | None = None  # the first day, YYYY-MM-DD in UTC, on which it is shut


def account_rows(text: str) -> Iterator[AccountRow]:
    """The lines of a file as passwd(5) and group(5); what is no account is left out."""
    for line in lines(text):
        name, *fields = line.split(":")
        if len(fields) >= 2 and fields[1].isdecimal():
            yield AccountRow(name, int(fields[1]), tuple(fields[2:]))


class People:
    """Remembers what Samba knows of people while nobody changes it: pdbedit takes longer than all other reads
    together where there are hundreds. Read again now and then all the same, as Samba may be configured to
    store its accounts elsewhere."""

    def __init__(self) -> None:
        self._known: tuple[float, tuple[str, str], dict[str, SambaAccount]] | None = None

    def samba(self, host: Host, passwd: str) -> dict[str, SambaAccount] | None:
        """What Samba knows of those in `passwd`, by name; None where it is not installed.
        Raises `HostError`, `CommandFailed` among them where Samba does not answer."""
        mark = host.run(SambaMark()).stdout  # before the accounts: a change in between is seen the next time
        last, key = self._known, (mark, passwd)
        if mark and last and last[1] == key and time.monotonic() - last[0] < _LASTS_S:
            return last[2]
        result = host.run(SambaAccounts())
        if result.exit == _NOT_FOUND:
            return None
        known = parse_pdbedit(result.stdout)
        self._known = (time.monotonic(), key, known)
        return known


def read_accounts(host: Host, people: People) -> Accounts:
    """The people and groups of the machine, with what Samba knows of them.

    Samba is asked only where there is anybody to ask about. Raises `HostError`, but not for a machine without
    Samba, or with one that does not answer: nobody is known there, and `samba_answers` says so.
    """
    passwd, group = (host.run(ReadFact(path=path)).stdout for path in ("/etc/passwd", "/etc/group"))
    found = parse_accounts(passwd, group, {})
    if not found.people:
        return found
    with suppress(CommandFailed):
        known = people.samba(host, passwd)
        if known is not None:
            return parse_accounts(passwd, group, known)
    return msgspec.structs.replace(found, samba_answers=False)


def parse_accounts(passwd: str, group: str, samba: dict[str, SambaAccount]) -> Accounts:
    """People and groups of the console's own ranges, by name, and the numbers of all others."""
    users, groups = list(account_rows(passwd)), list(account_rows(group))
    members = {row.name: sorted(filter(None, "".join(row.rest[:1]).split(","))) for row in groups}
    joined: dict[str, list[str]] = {}
    for group_name, names in sorted(members.items()):
        for name in names:
            joined.setdefault(name, []).append(group_name)
    return Accounts(
        people=tuple(
            _person(row, joined.get(row.name, []), samba.get(row.name))
            for row in sorted(users)
            if FIRST_PERSON <= row.number <= LAST_PERSON
        ),
        groups=tuple(
            Group(name=row.name, gid=row.number, members=tuple(members[row.name]))
            for row in sorted(groups)
            if FIRST_GROUP <= row.number <= LAST_GROUP
        ),
        uids={row.name: row.number for row in users},
        gids={row.name: row.number for row in groups},
    )


def _person(row: AccountRow, groups: list[str], known: SambaAccount | None) -> Person:
    state: Literal["enabled", "disabled", "none"] = "none"
    if known is not None:
        state = "enabled" if known.enabled else "disabled"
    return Person(
        name=row.name,
        uid=row.number,
        full_name=row.rest[1].partition(",")[0] if len(row.rest) > 1 else "",
        groups=tuple(groups),
        samba=state,
        expires=known.expires if known else None,
    )


def parse_pdbedit(text: str) -> dict[str, SambaAccount]:
    """What `pdbedit --list --verbose` prints, by name. A record begins with a line of dashes."""
    found: dict[str, SambaAccount] = {}
    for record in f"\n{text}".split("\n---------------\n"):
        fields: dict[str, str] = {}
        for line in lines(record):
            name, colon, value = line.partition(":")
            if colon:
                fields.setdefault(name.strip(), value.strip())
        if "Unix username" in fields:
            found[fields["Unix username"]] = SambaAccount(
                enabled="D" not in fields["Account Flags"], expires=_day(fields["Kickoff time"])
            )
    return found


def _day(text: str) -> str | None:
    """The day of `Sun, 01 Nov 2026 00:00:00 UTC`; None for what stands for never, and for what is no date."""
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC)
    return None if f"{moment:%Y-%m-%d %H:%M:%S}" in _NEVER else f"{moment:%Y-%m-%d}"

"""People and groups of the shares, as values for the eye."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from frontend.sorting import Column
from frontend.states import StateView, tone_view
from host.inventory import Accounts, Group, Inventory, Person
from shares.links import group_href, person_href

MOST_ROWS = 200
COLUMNS: dict[str, Column[Callable[[PersonRow], Any]]] = {
    "name": Column("User", lambda row: row.person.name),
    "state": Column("State", lambda row: row.state.word),
    "groups": Column("Groups", lambda row: row.person.groups or None),
    "expires": Column("Expires", lambda row: row.person.expires),
    "uid": Column("UID", lambda row: row.person.uid, number=True),
}


class PersonRow(msgspec.Struct, frozen=True, kw_only=True):
    """A person in one line."""

    person: Person
    href: str
    state: StateView


class GroupRow(msgspec.Struct, frozen=True, kw_only=True):
    """A group in one line, with the first of its members."""

    group: Group
    href: str
    members: tuple[str, ...]
    more: int


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A box to tick."""

    name: str
    title: str
    ticked: bool


def person_rows(inventory: Inventory, text: str) -> tuple[PersonRow, ...]:
    """Those with all words of `text` in their names, or who are in a group called so."""
    words = text.lower().split()
    return tuple(
        PersonRow(person=one, href=person_href(one.name), state=person_state(one, inventory))
        for one in inventory.accounts.people
        if _has(words, (one.name, one.full_name, *one.groups))
    )


def group_rows(inventory: Inventory, text: str) -> tuple[GroupRow, ...]:
    """Those with all words of `text` in their names or those of their members."""
    words = text.lower().split()
    return tuple(
        GroupRow(group=one, href=group_href(one.name), members=one.members[:8], more=len(one.members[8:]))
        for one in inventory.accounts.groups
        if _has(words, (one.name, *one.members))
    )


def person_state(person: Person, inventory: Inventory) -> StateView:
    """Whether somebody can sign in, and if not why."""
    if not inventory.accounts.samba_answers:
        return StateView(tone="warn", icon="circle-help", word="not known")
    if person.samba == "none":
        return StateView(tone="idle", icon="key-round", word="no password yet")
    if person.samba == "disabled":
        return StateView(tone="warn", icon="ban", word="disabled")
    if person.expires is not None and person.expires <= inventory.as_of[:10]:
        return StateView(tone="warn", icon="clock", word="expired")
    return tone_view("good", "can sign in")


def group_choices(accounts: Accounts, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """All groups that somebody can be put into."""
    return tuple(Choice(name=one.name, title=one.name, ticked=one.name in chosen) for one in accounts.groups)


def member_choices(accounts: Accounts, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """All people who can be put into a group."""
    ticked = set(chosen)
    return tuple(
        Choice(
            name=one.name,
            title=f"{one.full_name} ({one.name})" if one.full_name else one.name,
            ticked=one.name in ticked,
        )
        for one in accounts.people
    )


def foreign_groups(person: Person, accounts: Accounts) -> tuple[str, ...]:
    """Groups of the system that somebody was put into by hand."""
    return tuple(name for name in person.groups if accounts.group(name) is None)


def _has(words: list[str], names: tuple[str, ...]) -> bool:
    joined = " ".join(names).lower()
    return all(word in joined for word in words)

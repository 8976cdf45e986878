"""The answers about people and groups, as documented."""

from __future__ import annotations

from datetime import date

import msgspec

from jobs.api.shapes import Moment


class PersonAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who may use shares.

    `password` says whether they have one; without, nobody can sign in by that name, and `disabled` is false.
    Both are null where Samba, which keeps the passwords, does not answer. `expires` is the first day, in UTC,
    on which they are shut out; null for never.
    """

    name: str
    uid: int
    full_name: str
    groups: tuple[str, ...]
    password: bool | None
    disabled: bool | None
    expires: date | None
    as_of: Moment


class PersonPage(msgspec.Struct, frozen=True, kw_only=True):
    """People by name."""

    results: tuple[PersonAnswer, ...]
    next: str | None
    as_of: Moment


class GroupAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A group of people."""

    name: str
    gid: int
    members: tuple[str, ...]
    as_of: Moment


class GroupPage(msgspec.Struct, frozen=True, kw_only=True):
    """Groups by name."""

    results: tuple[GroupAnswer, ...]
    next: str | None
    as_of: Moment

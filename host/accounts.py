"""Refuses a command that is about an account or a group of the system, and not of the shares.

Plans refuse it too. This is asked by root right before the command is started: its caller may be compromised,
and a password in Samba for somebody who signs in to the machine opens that one's files.
"""

from __future__ import annotations

import grp
import pwd
from collections.abc import Callable

from host.commands.base import Command, PeopleCommand
from host.inventory.people import FIRST_GROUP, FIRST_PERSON, LAST_GROUP, LAST_PERSON


def _uid(name: str) -> int:
    return pwd.getpwnam(name).pw_uid


def _gid(name: str) -> int:
    return grp.getgrnam(name).gr_gid


def refusal(
    command: Command, *, uid: Callable[[str], int] = _uid, gid: Callable[[str], int] = _gid
) -> str | None:
    """Why `command` must not be started. One who is not there is for the program to tell. `uid` and `gid`
    raise `KeyError` for those."""
    if not isinstance(command, PeopleCommand):
        return None
    people = _foreign(command.people(), uid, FIRST_PERSON, LAST_PERSON)
    groups = _foreign(command.groups_named(), gid, FIRST_GROUP, LAST_GROUP)
    return next((f"{name} is none of the shares' people and groups.\n" for name in (*people, *groups)), None)


def _foreign(names: tuple[str, ...], number: Callable[[str], int], first: int, last: int) -> list[str]:
    found = []
    for name in names:
        try:
            if not first <= number(name) <= last:
                found.append(name)
        except KeyError:
            continue
    return found

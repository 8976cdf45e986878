"""Lets a program of root go on as a person who uses the shares, and never as anybody else."""

from __future__ import annotations

import os
import pwd
from typing import NamedTuple

from host.inventory.people import EVERYBODY_GID, FIRST_PERSON, LAST_PERSON

_FIRST_OF_PEOPLE = 1000  # groups below are the system's own (/etc/adduser.conf)
_MASK = 0o002  # as Samba's: what the mode of a new file says is for its group too


class NotAPerson(Exception):
    """Nobody of that name uses the shares; the text says what helps."""


class Identity(NamedTuple):
    """Who the kernel takes the program for."""

    uid: int
    gid: int
    groups: tuple[int, ...]


def identity(person: str) -> Identity:
    """Raises `NotAPerson` for an account of the system, and where there is none."""
    try:
        account = pwd.getpwnam(person)
    except KeyError:
        raise NotAPerson(f"There is no NAS user called {person}. Add one first.") from None
    if not FIRST_PERSON <= account.pw_uid <= LAST_PERSON:
        raise NotAPerson(f"{person} is a system account, not a NAS user.")
    gid = account.pw_gid if account.pw_gid >= _FIRST_OF_PEOPLE else EVERYBODY_GID
    groups = sorted({group for group in os.getgrouplist(person, gid) if group >= _FIRST_OF_PEOPLE})
    return Identity(account.pw_uid, gid, tuple(groups))


def become(who: Identity) -> None:
    """Go on as this person, for good: no capability and no group of root's is left. Raises `OSError`."""
    os.setgroups(who.groups)
    os.setresgid(who.gid, who.gid, who.gid)
    os.setresuid(who.uid, who.uid, who.uid)
    os.umask(_MASK)
    if os.getresuid() != (who.uid,) * 3 or os.getresgid() != (who.gid,) * 3:
        raise PermissionError("The privileges of root could not be dropped.")

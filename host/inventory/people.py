"""People and groups who use the shares: real accounts of the system, which is the truth about them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

# What the console makes and changes. Debian gives accounts of its own numbers below 1000 and to people who
# log in numbers from 1000 on (/etc/adduser.conf); these ranges are far from both, the same on each machine.
FIRST_PERSON, LAST_PERSON = 30_000, 34_999
FIRST_GROUP, LAST_GROUP = 35_000, 39_999
EVERYBODY = "nasweb-people"  # the primary group of all people, made by the installation
EVERYBODY_GID = 29_999  # ansible/roles/accounts makes it by this number

# A name never begins with a dash, so it cannot be read as an option wherever it stands.
NAME_PATTERN = r"\A[a-z_][a-z0-9_\-]{0,30}\Z"
# The comment field of passwd(5): colons end it, and finger(1) splits it at commas.
FULL_NAME_PATTERN = r"\A[^\x00-\x1f\x7f:,=]*\Z"
LONGEST_FULL_NAME = 80
AccountName = Annotated[str, Meta(pattern=NAME_PATTERN)]
FullName = Annotated[str, Meta(pattern=FULL_NAME_PATTERN, max_length=LONGEST_FULL_NAME)]
Uid = Annotated[int, Meta(ge=FIRST_PERSON, le=LAST_PERSON)]
Gid = Annotated[int, Meta(ge=FIRST_GROUP, le=LAST_GROUP)]


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who may use shares. Has no shell; the password is known to Samba alone."""

    name: str
    uid: int
    full_name: str = ""
    groups: tuple[str, ...] = ()  # without the primary one, by name
    # none: Samba knows no password yet, so that nobody can sign in by that name
    samba: Literal["enabled", "disabled", "none"] = "none"
    expires: str | None = None  # the first day, YYYY-MM-DD, on which it is shut; None: never


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A group of people."""

    name: str
    gid: int
    members: tuple[str, ...] = ()


class Accounts(msgspec.Struct, frozen=True, kw_only=True):
    """All of them, and the numbers of every account and group of the system, whose names are taken."""

    people: tuple[Person, ...] = ()
    groups: tuple[Group, ...] = ()
    uids: dict[str, int] = {}  # of all accounts of the system
    gids: dict[str, int] = {}  # of all groups of the system
    # The highest that a person or a group ever had, as far as is remembered; 0: none.
    highest_uid: int = 0
    highest_gid: int = 0
    samba_answers: bool = True  # False: Samba is not here, or fails; nothing is known of its accounts

    def person(self, name: str) -> Person | None:
        """The person of that name."""
        return next((one for one in self.people if one.name == name), None)

    def group(self, name: str) -> Group | None:
        """The group of that name."""
        return next((one for one in self.groups if one.name == name), None)

    def remembering(self, uid: int, gid: int) -> Accounts:
        """These, where numbers up to `uid` and `gid` were given before."""
        return msgspec.structs.replace(
            self,
            highest_uid=max(uid, *(one.uid for one in self.people), 0),
            highest_gid=max(gid, *(one.gid for one in self.groups), 0),
        )

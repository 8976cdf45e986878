"""People and groups of the shares: accounts of the system (useradd(8), gpasswd(1)), known to Samba too.

A name never begins with a dash, so it cannot be read as an option wherever it stands.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, Fed, PeopleCommand, SecretReference
from host.inventory.people import (
    EVERYBODY,
    FIRST_PERSON,
    LAST_PERSON,
    AccountName,
    FullName,
    Gid,
    Uid,
)  # fmt: skip

PASSDB = "/var/lib/samba/private/passdb.tdb"  # unless somebody configured Samba to keep it elsewhere
FIRST_DAY, LAST_DAY = date(1970, 1, 2), date(2099, 12, 31)
_MOST_MEMBERS = LAST_PERSON - FIRST_PERSON + 1


class AddPerson(PeopleCommand, frozen=True, kw_only=True):
    """An account without shell, home and password; and without the numbers that containers would need."""

    name: AccountName
    uid: Uid
    full_name: FullName = ""
    groups: Annotated[tuple[AccountName, ...], Meta(max_length=100)] = ()

    def groups_named(self) -> tuple[str, ...]:
        return self.groups

    def argv(self) -> tuple[str, ...]:
        numbers = ("--uid", str(self.uid), "--gid", EVERYBODY)
        nothing = ("--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin")
        no_more = ("--key", "SUB_UID_COUNT=0", "--key", "SUB_GID_COUNT=0")
        groups = ("--groups", ",".join(self.groups)) if self.groups else ()
        return ("useradd", *numbers, *nothing, *no_more, "--comment", self.full_name, *groups, self.name)


class ChangePerson(PeopleCommand, frozen=True, kw_only=True):
    """Give an account another full name."""

    name: AccountName
    full_name: FullName

    def people(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        return ("usermod", "--comment", self.full_name, self.name)


class RemovePerson(PeopleCommand, frozen=True, kw_only=True):
    """Remove an account. What it owns stays, with its number."""

    name: AccountName

    def people(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        return ("userdel", self.name)


class AddGroup(PeopleCommand, frozen=True, kw_only=True):
    """An empty group."""

    name: AccountName
    gid: Gid

    def argv(self) -> tuple[str, ...]:
        return ("groupadd", "--gid", str(self.gid), self.name)


class RemoveGroup(PeopleCommand, frozen=True, kw_only=True):
    """Remove a group. What belongs to it stays, with its number."""

    name: AccountName

    def groups_named(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        return ("groupdel", self.name)


class JoinGroup(PeopleCommand, frozen=True, kw_only=True):
    """Make somebody a member of a group; one who is a member already stays one."""

    group: AccountName
    person: AccountName

    def people(self) -> tuple[str, ...]:
        return (self.person,)

    def groups_named(self) -> tuple[str, ...]:
        return (self.group,)

    def argv(self) -> tuple[str, ...]:
        return ("gpasswd", "--add", self.person, self.group)


class LeaveGroup(PeopleCommand, frozen=True, kw_only=True):
    """End a membership."""

    group: AccountName
    person: AccountName

    def people(self) -> tuple[str, ...]:
        return (self.person,)

    def groups_named(self) -> tuple[str, ...]:
        return (self.group,)

    def argv(self) -> tuple[str, ...]:
        return ("gpasswd", "--delete", self.person, self.group)


class SetMembers(PeopleCommand, frozen=True, kw_only=True):
    """Make these, and nobody else, the members of a group."""

    group: AccountName
    members: Annotated[tuple[AccountName, ...], Meta(max_length=_MOST_MEMBERS)] = ()

    def people(self) -> tuple[str, ...]:
        return self.members

    def groups_named(self) -> tuple[str, ...]:
        return (self.group,)

    def argv(self) -> tuple[str, ...]:
        return ("gpasswd", "--members", ",".join(self.members), self.group)


class SetSambaPassword(PeopleCommand, frozen=True, kw_only=True):
    """Give somebody the password that Samba knows them by; one who had none is enabled by that.

    One who was disabled is enabled by it too (passdb.c, local_password_change): disable them again.
    """

    name: AccountName
    secret: SecretReference

    def people(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        return ("smbpasswd", "-s", "-a", self.name)

    def feeds(self) -> Fed:
        return Fed(reference=self.secret, what="the password", times=2)


class EnableInSamba(PeopleCommand, frozen=True, kw_only=True):
    """Let somebody sign in again. Fails for one whom Samba does not know."""

    name: AccountName

    def people(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        return ("smbpasswd", "-e", self.name)


class DisableInSamba(PeopleCommand, frozen=True, kw_only=True):
    """Let somebody sign in no more; a connection that is open stays open."""

    name: AccountName

    def people(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        return ("smbpasswd", "-d", self.name)


class RemoveFromSamba(PeopleCommand, frozen=True, kw_only=True):
    """Let Samba forget somebody, password and all."""

    name: AccountName

    def people(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        return ("smbpasswd", "-x", self.name)


class SetSambaExpiry(PeopleCommand, frozen=True, kw_only=True):
    """The first day, in UTC, on which Samba refuses a sign-in; without one, never.

    Never is 0. The word `never` is not used: Samba 4.22 keeps 32 bits of what it means by that, which is
    6 February 2036, and that is also what an account has to which nothing was said.
    """

    name: AccountName
    day: date | None = None  # from 1970 to 2099: Samba has 32 bits for the second

    def __post_init__(self) -> None:
        if self.day is not None and not FIRST_DAY <= self.day <= LAST_DAY:
            raise ValueError(f"The day must be between {FIRST_DAY} and {LAST_DAY}")

    def people(self) -> tuple[str, ...]:
        return (self.name,)

    def argv(self) -> tuple[str, ...]:
        start = None if self.day is None else datetime.combine(self.day, time(), UTC)
        seconds = 0 if start is None else int(start.timestamp())
        return ("pdbedit", "--modify", f"--user={self.name}", f"--kickoff-time={seconds}")


class SambaAccounts(Command, frozen=True, kw_only=True):
    """Everybody whom Samba knows, without hashes. 127: Samba is not installed.

    It prints times in the machine's own time zone, and names that by letters which are not unique: so it is
    given another zone.
    """

    reads = True
    good_exits = (0, 127)

    def argv(self) -> tuple[str, ...]:
        return ("env", "TZ=UTC", "pdbedit", "--list", "--verbose")


class SambaMark(Command, frozen=True, kw_only=True):
    """Which file of accounts Samba has, and when it changed last: inode, seconds, by a space.

    Samba writes it in transactions, each of which moves that time (tdb_transaction_commit in its lib/tdb).
    find ends with 1 where there is none.
    """

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("find", PASSDB, "-maxdepth", "0", "-printf", r"%i %C@\n")


Commands = (
    AddPerson
    | ChangePerson
    | RemovePerson
    | AddGroup
    | RemoveGroup
    | JoinGroup
    | LeaveGroup
    | SetMembers
    | SetSambaPassword
    | EnableInSamba
    | DisableInSamba
    | RemoveFromSamba
    | SetSambaExpiry
    | SambaAccounts
    | SambaMark
)

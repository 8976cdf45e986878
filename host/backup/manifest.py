"""What a copy says of itself, as values."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.backup.names import Digest
from host.inventory.people import AccountName, FullName, Gid, Uid

FORMAT = 1
MemberName = Literal["database.sqlite3", "people.json", "smbpasswd"]
_Text = Annotated[str, Meta(max_length=255, pattern=r"\A[^\x00-\x1f\x7f]*\Z")]
_Count = Annotated[int, Meta(ge=0, le=1 << 40)]
Origin = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
Moment = Annotated[str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\Z")]
Migration = Annotated[str, Meta(max_length=200, pattern=r"\A[a-z_]+\.[0-9a-zA-Z_]+\Z")]


class Member(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file in the copy."""

    size_bytes: _Count
    sha256: Digest


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first file of a copy.

    `content` is the digest of the settings alone: equal where nothing was set meanwhile, whatever happened
    besides. `schema` are the migrations that the database has had. `holds` counts what is in it, for people.
    """

    format: int = FORMAT
    origin: Origin  # of the installation: a new one on new sticks has another
    host: _Text
    version: _Text  # of Nasweb
    made_at: Moment
    content: Digest
    secrets: bool  # whether passwords, tokens and the like are in it
    time_zone: _Text = ""
    schema: Annotated[tuple[Migration, ...], Meta(max_length=2000)]
    holds: dict[_Text, _Count] = {}
    members: dict[MemberName, Member] = {}

    def __post_init__(self) -> None:
        datetime.fromisoformat(self.made_at)  # ValueError: it may come from anybody's disk


class KeptGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of people."""

    name: AccountName
    gid: Gid
    members: Annotated[tuple[AccountName, ...], Meta(max_length=5000)] = ()


class KeptPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who may use shares. `password` says whether Samba knew one, not which."""

    name: AccountName
    uid: Uid
    full_name: FullName = ""
    password: bool = False
    expires: Annotated[str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")] | None = None

    def __post_init__(self) -> None:
        if self.expires is not None:
            date.fromisoformat(self.expires)  # ValueError


class KeptPeople(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`people.json`."""

    people: Annotated[tuple[KeptPerson, ...], Meta(max_length=5000)] = ()
    groups: Annotated[tuple[KeptGroup, ...], Meta(max_length=5000)] = ()


Problem = Literal["locked", "none", "unreadable", "broken", "newer"]


class CopyFound(msgspec.Struct, frozen=True, kw_only=True):
    """A copy in a folder; without a manifest it cannot be read, and `why` says why."""

    name: str
    size_bytes: int
    manifest: Manifest | None = None
    why: str = ""


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """The copies of one pool, newest first; `problem` where they cannot be reached."""

    copies: tuple[CopyFound, ...] = ()
    problem: Problem | None = None
    why: str = ""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A copy that was read whole, every hash compared; or why it could not be."""

    name: str = ""
    manifest: Manifest | None = None
    people: KeptPeople = KeptPeople()
    problem: Problem | None = None
    why: str = ""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A database that waits to be put in place, and the copy it came from. `id` is new each time."""

    id: str
    manifest: Manifest

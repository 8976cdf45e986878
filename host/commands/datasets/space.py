"""Who takes how much of a file system, and how much each may (zfs-userspace(8))."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DatasetName, DatasetsCommand

Whose = Literal["user", "group", "project"]
SPACE_COLUMNS = ("type", "name", "used", "quota", "objused", "objquota")
# An account's name as useradd(8) and Samba allow it, or its number.
Account = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_][A-Za-z0-9_.\-]*\$?\Z", max_length=255)]


class ZfsSpace(Command, frozen=True, kw_only=True):
    """What each user, group or project takes of one file system, tab-separated `SPACE_COLUMNS`, in bytes.

    With numbers for names: which account has which is another question, and asking it can take long.
    """

    reads = True
    timeout_s = 120.0
    name: DatasetName
    whose: Whose

    def argv(self) -> tuple[str, ...]:
        numbers = () if self.whose == "project" else ("-n",)
        return ("zfs", f"{self.whose}space", "-Hp", *numbers, "-o", ",".join(SPACE_COLUMNS), self.name)


class ZfsSetQuota(DatasetsCommand, frozen=True, kw_only=True):
    """Bound what one user, group or project may take of a file system: bytes, or files (`objects`)."""

    name: DatasetName
    whose: Whose
    account: Account
    objects: bool = False
    limit: Annotated[int, Meta(ge=1, le=1 << 62)] | None = None

    def argv(self) -> tuple[str, ...]:
        prop = f"{self.whose}{'obj' if self.objects else ''}quota@{self.account}"
        return ("zfs", "set", f"{prop}={'none' if self.limit is None else self.limit}", self.name)


Commands = ZfsSpace | ZfsSetQuota

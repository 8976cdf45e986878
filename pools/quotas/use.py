"""dataset.quota-use: who takes how much of a file system. Read when asked for: it takes its time."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.base import Host
from host.commands.base import DatasetName
from host.commands.datasets.space import Whose, ZfsSpace
from host.commands.facts import ReadFact
from host.probe.datasets.space import AccountSpace, parse_names, parse_zfs_space

_MOST = 2000  # accounts of a kind; the largest ones


class QuotaUse(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask who takes how much of a file system."""

    name: Annotated[DatasetName, Meta(description="a dataset's name")]


class AccountUse(msgspec.Struct, frozen=True, kw_only=True):
    """What one account takes: bytes, and files with folders (`objects`); null for no quota."""

    whose: Whose
    account: str  # its number
    name: str | None  # that this machine has for the number
    used_bytes: int
    quota_bytes: int | None
    objects: int | None
    objects_quota: int | None


class QuotaUses(msgspec.Struct, frozen=True, kw_only=True):
    """All that own something in it or have a quota there, the largest first."""

    accounts: tuple[AccountUse, ...]
    more: int = 0  # that were left out


def answer(request: QuotaUse, host: Host) -> QuotaUses:
    """Three commands, and the names that this machine has for users and groups. Raises `HostError`."""
    users = parse_names(host.run(ReadFact(path="/etc/passwd")).stdout)
    groups = parse_names(host.run(ReadFact(path="/etc/group")).stdout)
    names: dict[Whose, dict[str, str]] = {"user": users, "group": groups, "project": {}}
    found: list[AccountUse] = []
    more = 0
    for whose, known in names.items():
        said = host.run(ZfsSpace(name=request.name, whose=whose)).stdout
        accounts = sorted(parse_zfs_space(said), key=lambda one: -one.used_bytes)
        more += max(0, len(accounts) - _MOST)
        found += (_use(whose, one, known) for one in accounts[:_MOST])
    return QuotaUses(accounts=tuple(found), more=more)


def _use(whose: Whose, one: AccountSpace, known: dict[str, str]) -> AccountUse:
    return AccountUse(
        whose=whose,
        account=one.number,
        name=known.get(one.number),
        used_bytes=one.used_bytes,
        quota_bytes=one.quota_bytes,
        objects=one.objects,
        objects_quota=one.objects_quota,
    )

"""Parsers of `zfs userspace` and its like (tab-separated), and the names that belong to the numbers."""

from __future__ import annotations

import msgspec

from host.probe.shares.people import account_rows


class AccountSpace(msgspec.Struct, frozen=True, kw_only=True):
    """What one user, group or project takes of a file system, and may take; None for no limit."""

    number: str
    used_bytes: int
    quota_bytes: int | None
    objects: int | None  # None where the file system does not count them
    objects_quota: int | None


def parse_zfs_space(text: str) -> tuple[AccountSpace, ...]:
    """One for each line; columns as `host.commands.datasets.space.SPACE_COLUMNS`."""
    return tuple(_account(line.split("\t")) for line in text.splitlines())


def _account(columns: list[str]) -> AccountSpace:
    _kind, number, used, quota, objects, objects_quota = columns
    return AccountSpace(
        number=number,
        used_bytes=_number(used) or 0,
        quota_bytes=_number(quota) or None,
        objects=_number(objects),
        objects_quota=_number(objects_quota) or None,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def parse_names(text: str) -> dict[str, str]:
    """The name of each number in a file as passwd(5) and group(5); the first one where there are several."""
    found: dict[str, str] = {}
    for row in account_rows(text):
        found.setdefault(str(row.number), row.name)
    return found

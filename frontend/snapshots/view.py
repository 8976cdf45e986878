"""Snapshots as values for the eye."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import cast

import msgspec

from frontend.sorting import Column
from host.inventory import Snapshot
from jobs.index.reading import Kind, Order, SnapshotFilter
from pools.snapshots.details import SnapshotDetails

AGES = (
    ("", "of any age"), ("day", "of the last day"), ("week", "of the last week"),
    ("month", "of the last month"), ("older-month", "older than a month"),
    ("older-year", "older than a year"),
)  # fmt: skip
KINDS = (("", "all"), ("policy", "taken by a policy"), ("manual", "taken by hand"))
COLUMNS: dict[str, Column[Order]] = {
    "name": Column("Snapshot", "tag"),
    "taken": Column("Taken", "createtxg", down=True),
    "referenced": Column("Referenced", "referenced_bytes", number=True, down=True),
}
NEWEST = "-taken"
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


class SnapshotRow(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot in one line; `used` is None where nobody asked for it."""

    name: str
    tag: str
    taken: datetime
    referenced: int
    used: int | None
    holds: int
    clones: tuple[str, ...]
    policy: str
    leaving: bool


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form that narrows the list down."""

    text: str = ""
    kind: str = ""
    age: str = ""
    held: bool = False

    @property
    def any(self) -> bool:
        """True where something is chosen."""
        return self != Choice()


def name_by_clock(now: datetime) -> str:
    """What a snapshot is called that nobody named."""
    return f"{now:manual-%Y-%m-%d-%H%M%S}"


def rows(snapshots: Iterable[Snapshot], sizes: Mapping[str, SnapshotDetails]) -> tuple[SnapshotRow, ...]:
    """One a snapshot, with what was asked of it."""
    return tuple(_row(snapshot, sizes.get(snapshot.name)) for snapshot in snapshots)


def choice(sent: Mapping[str, str]) -> Choice:
    """The form as it was sent; what it does not offer is left out."""
    kind, age = sent.get("kind", ""), sent.get("age", "")
    return Choice(
        text=sent.get("text", "").strip()[:255],
        kind=kind if kind in dict(KINDS) else "",
        age=age if age in dict(AGES) else "",
        held=sent.get("held") == "yes",
    )


def chosen(choice: Choice, now: datetime) -> SnapshotFilter:
    """The same for the index."""
    older, _, span = choice.age.rpartition("-")
    at = int((now - timedelta(days=_DAYS[span])).timestamp()) if span else None
    return SnapshotFilter(
        text=choice.text,
        kind=cast("Kind | None", choice.kind or None),
        since=None if older else at,
        until=at if older else None,
        held=choice.held,
    )


def _row(snapshot: Snapshot, asked: SnapshotDetails | None) -> SnapshotRow:
    return SnapshotRow(
        name=snapshot.name,
        tag=snapshot.tag,
        taken=datetime.fromtimestamp(snapshot.created, UTC),
        referenced=snapshot.referenced_bytes,
        used=asked.used_bytes if asked else None,
        holds=len(asked.holds) if asked else snapshot.holds,
        clones=snapshot.clones,
        policy=snapshot.mark,
        leaving=snapshot.leaving,
    )

"""What is costly to know of snapshots, for those that somebody looks at: sizes, and holds by name."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.base import Host
from host.commands.base import SnapshotName
from host.inventory import Snapshot
from host.probe.datasets.snapshots import read_details, read_holds
from jobs.index import reading

_MOST = 200


class AskDetails(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Up to 200 snapshots by their whole names."""

    snapshots: Annotated[tuple[SnapshotName, ...], Meta(min_length=1, max_length=_MOST)]


class HoldAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A hold, since when in seconds since 1970."""

    tag: str
    since: int


class SnapshotDetails(msgspec.Struct, frozen=True, kw_only=True):
    """One snapshot. `used_bytes` are those that it alone holds: several together free more than their sum."""

    name: str
    used_bytes: int
    referenced_bytes: int
    holds: tuple[HoldAnswer, ...]
    clones: tuple[str, ...]
    leaving: bool


class DetailsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Those of the snapshots that are there."""

    results: tuple[SnapshotDetails, ...]


def answer(request: AskDetails, host: Host) -> DetailsAnswer:
    """Ask, and take down what differs from the index. Raises `HostError`."""
    found = list(read_details(host, request.snapshots))
    reading.remember(found)
    holds = _holds([snapshot.name for snapshot in found if snapshot.holds], host)
    return DetailsAnswer(results=tuple(_details(one, holds.get(one.name, ())) for one in found))


def _holds(names: list[str], host: Host) -> dict[str, tuple[HoldAnswer, ...]]:
    found: dict[str, tuple[HoldAnswer, ...]] = {}
    for hold in read_holds(host, names):
        one = HoldAnswer(tag=hold.tag, since=hold.since)
        found[hold.snapshot] = (*found.get(hold.snapshot, ()), one)
    return found


def _details(snapshot: Snapshot, holds: tuple[HoldAnswer, ...]) -> SnapshotDetails:
    return SnapshotDetails(
        name=snapshot.name,
        used_bytes=snapshot.used_bytes or 0,
        referenced_bytes=snapshot.referenced_bytes,
        holds=holds,
        clones=snapshot.clones,
        leaving=snapshot.leaving,
    )

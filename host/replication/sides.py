"""What lies at one side of a replication: datasets with their snapshots and bookmarks, as zfs lists them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from host.lines import rows

_DIGITS = 20
_KINDS: dict[str, Literal["filesystem", "volume"]] = {"filesystem": "filesystem", "volume": "volume"}


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """What a stream can start from. `guid` is the same at both sides, `createtxg` orders those of one."""

    name: str  # behind the @ or #
    guid: str
    createtxg: int
    bookmark: bool = False


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset at one side."""

    name: str
    guid: str
    kind: Literal["filesystem", "volume"]
    available_bytes: int = 0
    encrypted: bool = False
    key_loaded: bool = True
    token: str | None = None  # where a receive was broken off
    snapshots: tuple[Point, ...] = ()  # oldest first
    bookmarks: tuple[Point, ...] = ()

    @property
    def newest(self) -> Point | None:
        """Its newest snapshot."""
        return self.snapshots[-1] if self.snapshots else None


def parse_members(datasets: str, points: str) -> tuple[Member, ...]:
    """By name; of the answers to `ListDatasets` and `ListPoints`."""
    by_dataset: dict[str, list[Point]] = {}
    for name, guid, createtxg in rows(points, 3):
        if is_number(createtxg):
            bookmark = "@" not in name
            dataset, _, rest = name.partition("#" if bookmark else "@")
            point = Point(name=rest, guid=guid, createtxg=int(createtxg), bookmark=bookmark)
            by_dataset.setdefault(dataset, []).append(point)
    return tuple(_member(row, by_dataset.get(row[0], ())) for row in rows(datasets, 8) if row[2] in _KINDS)


def _member(row: list[str], points: Iterable[Point]) -> Member:
    name, guid, kind, _written, available, encryption, key, resume = row
    ordered = sorted(points, key=lambda point: point.createtxg)
    return Member(
        name=name,
        guid=guid,
        kind=_KINDS[kind],
        available_bytes=_number(available),
        encrypted=encryption not in {"off", "-"},
        key_loaded=key != "unavailable",
        token=None if resume == "-" else resume,
        snapshots=tuple(point for point in ordered if not point.bookmark),
        bookmarks=tuple(point for point in ordered if point.bookmark),
    )


def _number(text: str) -> int:
    return int(text) if is_number(text) else 0


def is_number(text: str) -> bool:
    """Of 64 bits: another machine may say anything, and Python refuses to read thousands of digits."""
    return text.isdecimal() and len(text) <= _DIGITS

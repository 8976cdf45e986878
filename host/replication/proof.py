"""Which files of a snapshot are compared with those of its replica, and what came of it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Literal

import msgspec

MOST_FILES = 200
MOST_BYTES = 2 << 30  # of a task: so that a proof takes minutes, and not what a scrub takes
MOST_WALKED = 200_000
_SHOWN = 5
BY_GUID_ALONE = (
    "Files there cannot be read from here, as its account may mount nothing. Each run compares the snapshots "
    "of both sides by guid."
)

Verdict = Literal["same", "different", "partly", "nothing", "failed", "stopped"]
Result = Literal["same", "different", "locked", "unreachable", "empty", "volume"]
UNREAD: frozenset[Result] = frozenset({"locked", "unreachable"})


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset: how many files and bytes of its replica were read, and what differed."""

    source: str
    target: str
    snapshot: str
    result: Result
    files: int = 0
    size_bytes: int = 0
    different: tuple[str, ...] = ()  # paths, some
    said: str = ""


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The last proof of a task, or the one that is under way."""

    task: str
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    verdict: Verdict | None = None
    words: str = ""
    datasets: tuple[Proven, ...] = ()


def sample[T](entries: Iterable[T], most: int, chance: random.Random) -> list[T]:
    """So many of them, each as likely as any other, in one pass (Vitter's algorithm R)."""
    kept: list[T] = []
    for number, entry in enumerate(entries):
        if number < most:
            kept.append(entry)
        elif (place := chance.randrange(number + 1)) < most:
            kept[place] = entry
    return kept


def verdict_of(datasets: Iterable[Proven]) -> Verdict:
    """`partly`: some could not be read. `nothing`: none had a file to compare."""
    results = {one.result for one in datasets}
    if "different" in results:
        return "different"
    if not results & {"same"}:
        return "nothing"
    return "partly" if results & UNREAD else "same"


def shown(paths: Iterable[str]) -> tuple[str, ...]:
    """The first of them."""
    return tuple(sorted(paths)[:_SHOWN])

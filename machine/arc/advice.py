"""Whether ZFS's cache has the size that it should have, from what was measured.

No rule of thumb by the terabyte: what counts is how often programs had to wait for a disk although a larger
cache would have had the block (ghost hits: zfs(4)), and whether anything else is short of memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from machine.arc.figures import ArcFigures

Tone = Literal["good", "warn", "idle"]
_WAITING_PERCENT = 5.0  # of the time: programs feel it
_MANY_SWAPPED = 0.05  # of the memory
_FULL, _SPARE = 0.95, 0.8  # of what the cache may take
_FEW_HITS_PERCENT, _MANY_HITS_PERCENT = 90.0, 95.0
_MANY_GHOSTS = 10.0  # a second
_MIB, _GIB = 1 << 20, 1 << 30


class ArcAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: what was seen, and what follows from it."""

    code: Literal["not-measured", "short-of-memory", "larger-helps", "well-served", "not-filled"]
    tone: Tone
    title: str
    words: str


def advice(of: ArcFigures) -> tuple[ArcAdvice, ...]:
    """What matters most comes first; nothing where ZFS is not loaded."""
    return tuple(_found(of)) if of.live is not None and of.size_bytes is not None else ()


def _found(of: ArcFigures) -> Iterator[ArcAdvice]:
    short = tuple(_short_of_memory(of))
    yield from short
    hits = of.hit_percent.get("day")
    if hits is None:
        yield ArcAdvice(
            code="not-measured", tone="idle", title="Nothing was measured yet",
            words="Hits are counted while the pools are used. Look again in a day.",
        )  # fmt: skip
        return
    most, size = of.live.max_bytes if of.live else 0, of.size_bytes or 0
    if size >= _FULL * most and hits < _FEW_HITS_PERCENT and (of.ghost_hits or 0.0) > _MANY_GHOSTS:
        words = (
            f"{of.ghost_hits:.0f} times a second in the last day ZFS read a block that it had dropped from "
            "its cache shortly before. "
        )
        yield ArcAdvice(
            code="larger-helps", tone="warn", title=f"Only {hits:.0f} % came from memory",
            words=words + ("But programs are short of memory as it is: add memory."
                           if short else "Raise the maximum, or add memory."),
        )  # fmt: skip
    elif hits >= _MANY_HITS_PERCENT:
        yield ArcAdvice(
            code="well-served", tone="good", title=f"{hits:.0f} % came from memory",
            words="Of what programs asked for in the last day. A larger cache would change little.",
        )  # fmt: skip
    if size < _SPARE * most:
        yield ArcAdvice(
            code="not-filled", tone="idle", title="The cache takes less than it may",
            words=f"It holds {in_words(size)} of {in_words(most)}: a larger maximum changes nothing now.",
        )  # fmt: skip


def _short_of_memory(of: ArcFigures) -> Iterator[ArcAdvice]:
    waiting, swapped = of.pressure_percent or 0.0, of.swap_bytes or 0.0
    if waiting < _WAITING_PERCENT and swapped < _MANY_SWAPPED * of.memory_bytes:
        return
    seen = (
        f"In the last hour something waited for memory in {waiting:.0f} % of the time."
        if waiting >= _WAITING_PERCENT
        else f"{in_words(swapped)} of what programs need lie in swap."
    )
    yield ArcAdvice(
        code="short-of-memory", tone="warn", title="Programs are short of memory",
        words=f"{seen} Lower the maximum of the cache, stop what needs much memory, or add memory.",
    )  # fmt: skip


def in_words(size_bytes: float) -> str:
    """`3.5 GiB`, `512 MiB`."""
    if size_bytes >= _GIB:
        return f"{size_bytes / _GIB:.1f} GiB"
    return f"{size_bytes / _MIB:.0f} MiB"

"""What is known of a pool's duplicated blocks."""

from __future__ import annotations

from typing import Literal

import msgspec


class References(msgspec.Struct, frozen=True, kw_only=True):
    """Blocks that are there `references` times, up to twice as many less one. `size_bytes` is what they take
    when each is stored once, `referenced_bytes` when each is stored as often as it is there.

    zdb and zpool print three digits of each number.
    """

    references: int
    blocks: int
    size_bytes: int
    referenced_blocks: int
    referenced_bytes: int


class DedupTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a pool in which something is deduplicated."""

    entries: int
    disk_bytes: int
    memory_bytes: int
    rows: tuple[References, ...] = ()


class DedupEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one estimate. `share` is of all that there is to read, from 0 to 1; `different_blocks` of
    what was read by then.
    """

    run: str
    pool: str
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    phase: Literal["reading", "done"] = "reading"
    share: float = 0.0
    left_s: float | None = None
    different_blocks: int = 0
    rows: tuple[References, ...] = ()
    verdict: Literal["done", "stopped", "failed", "empty"] | None = None
    words: str = ""

"""How many blocks a pool has of what kind."""

from __future__ import annotations

from typing import Literal

import msgspec


class Blocks(msgspec.Struct, frozen=True, kw_only=True):
    """Some of them. `stored_bytes` is one copy of each after compression, `allocated_bytes` what they take on
    the disks, with all copies and parity.
    """

    count: int = 0
    stored_bytes: int = 0
    allocated_bytes: int = 0


class SmallBlocks(msgspec.Struct, frozen=True, kw_only=True):
    """Blocks of files that have `up_to_bytes` or less after compression: what `special_small_blocks` of that
    value would have stored on a special vdev. `stored_bytes` is in whole sectors of 4 KiB.
    """

    up_to_bytes: int
    count: int
    stored_bytes: int


class PoolBlocks(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one count. `share` is of all that is allocated, from 0 to 1. `metadata` is what a special
    vdev would hold of itself; `small` has the fewest bytes first.
    """

    run: str
    pool: str
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    phase: Literal["reading", "done"] = "reading"
    share: float = 0.0
    left_s: float | None = None
    metadata: Blocks = Blocks()
    files: Blocks = Blocks()
    volumes: Blocks = Blocks()
    small: tuple[SmallBlocks, ...] = ()
    verdict: Literal["done", "stopped", "failed", "empty"] | None = None
    words: str = ""

"""How far the burn-in of a disk has come."""

from __future__ import annotations

from typing import Literal

import msgspec

Phase = Literal["self-test", "write", "verify", "done"]


class Throughput(msgspec.Struct, frozen=True, kw_only=True):
    """One point of the curve: the speed of the pass at an offset from the disk's start."""

    offset_bytes: int
    bytes_per_second: int


class BurnIn(msgspec.Struct, frozen=True, kw_only=True):
    """What the unit last wrote of itself. `percent` (0 to 100) is of the phase."""

    serial: str
    phase: Phase
    percent: float
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    verdict: Literal["passed", "failed", "stopped"] | None = None  # None while it runs
    words: str = ""  # why it failed: what was found and where
    size_bytes: int = 0
    mismatches: int = 0  # blocks that read back otherwise than written
    writing: tuple[Throughput, ...] = ()
    reading: tuple[Throughput, ...] = ()

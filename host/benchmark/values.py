"""What is asked of a benchmark, and what it found."""

from __future__ import annotations

from typing import Literal

import msgspec

Profile = Literal["sequential", "small-files", "mixed", "sync-writes", "streams"]


class DiskRead(msgspec.Struct, frozen=True, kw_only=True):
    """How fast one disk was read alone, in bytes per second: at its beginning, in its middle and at its end
    (of the part that the pool has). Hard disks are slower towards the end.
    """

    disk: str  # its link, as the pool names it
    bytes_per_s: tuple[float, ...]


class BusyDisk(msgspec.Struct, frozen=True, kw_only=True):
    """The share of the time in which a disk had something to do, from 0 to 1."""

    disk: str
    share: float


class PartResult(msgspec.Struct, frozen=True, kw_only=True):
    """What fio measured in one part, of all its jobs together. `mean_s` and `p99_s` are latencies: how long
    one request took on average, and 99 of 100 at most. `processor_share` is of all processors, from 0 to 1.
    """

    part: str
    kind: Literal["read", "write"]
    bytes_per_s: float
    operations_per_s: float
    mean_s: float
    p99_s: float
    seconds: float
    processor_share: float
    busy: tuple[BusyDisk, ...]
    command: tuple[str, ...]


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one of them. `share` is of its time, from 0 to 1; `doing` is the part that goes on."""

    run: str
    pool: str
    profile: Profile
    record_bytes: int
    compression: str
    clients: int
    size_bytes: int
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    phase: Literal["disks", "files", "removing", "done"] = "disks"
    doing: str = ""
    share: float = 0.0
    left_s: float | None = None
    disks: tuple[DiskRead, ...] = ()
    parts: tuple[PartResult, ...] = ()
    verdict: Literal["done", "stopped", "failed"] | None = None
    words: str = ""

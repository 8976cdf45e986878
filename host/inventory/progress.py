"""What the kernel does to a pool over hours, and how far it is."""

from __future__ import annotations

import msgspec


class Filling(msgspec.Struct, frozen=True, kw_only=True):
    """A trim or an initialization of one leaf: under way, suspended, or how the last one ended."""

    state: str  # ACTIVE, SUSPENDED, CANCELED, COMPLETE or UNKNOWN
    done_bytes: int
    total_bytes: int
    changed: str | None = None  # ISO 8601, UTC: when it started, was suspended or ended
    errors: int = 0


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """What the kernel scans or scanned last: a scrub or a resilver."""

    function: str  # SCRUB, RESILVER, ERRORSCRUB or UNKNOWN
    state: str  # SCANNING, FINISHED, CANCELED or UNKNOWN
    started: str | None = None  # ISO 8601, UTC
    finished: str | None = None
    percent: float | None = None  # 0 to 100; None where the kernel has none
    errors: int = 0
    total_bytes: int = 0  # allocated when it started, parity included
    examined_bytes: int = 0  # metadata read to find what to check
    issued_bytes: int = 0  # checked
    skipped_bytes: int = 0  # of the total: needs no check
    repaired_bytes: int = 0  # of a scrub repaired, of a resilver written
    paused: str | None = None  # since when a scrub is paused
    paused_s: int = 0  # how long it was paused before
    pass_started: str | None = None  # since the pool was imported, or the scan went on
    pass_issued_bytes: int = 0  # checked since then: divided by the time, the current speed


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """A top-level vdev whose data moves, or has moved, to the others."""

    state: str  # SCANNING (data moves), FINISHED, CANCELED or UNKNOWN
    vdev: str | None  # what zpool calls it; None once it has gone
    started: str | None = None  # ISO 8601, UTC
    finished: str | None = None
    total_bytes: int = 0
    copied_bytes: int = 0
    mapping_memory_bytes: int = 0  # taken for good by the map from old places to new ones


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """A RAIDZ that takes, or has taken, one more disk."""

    state: str  # SCANNING (data moves), FINISHED, CANCELED or UNKNOWN
    vdev: str | None  # what zpool calls it
    started: str | None = None  # ISO 8601, UTC
    finished: str | None = None
    total_bytes: int = 0
    copied_bytes: int = 0
    waiting: bool = False  # for a resilver, or for errors to be cleared


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a pool that can be returned to."""

    state: str  # EXISTS, DISCARDING or UNKNOWN
    taken: str | None = None  # ISO 8601, UTC
    size_bytes: int = 0  # what it alone holds

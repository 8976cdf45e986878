"""A cause of an incident, as it is known at one moment."""

from __future__ import annotations

from typing import Literal

import msgspec

from alerts.remedy import Remedy

Severity = Literal["critical", "warning", "info"]
Kind = Literal[
    "pool-suspended", "pool-faulted", "controller-gone", "link-vanished", "disk-gone", "disk-offline",
    "disk-faulted", "disk-errors", "disk-failing", "disk-slow", "checksums-everywhere", "transfer-errors",
    "data-damaged",
    "pool-degraded", "schedule-failed", "snapshots-failing", "array-degraded",
    "array-stopped", "channel-locked", "state-elsewhere", "system-twice",
    "database-full", "disk-delays", "disk-hung", "authentication-failed", "data-unread", "log-lost",
    "cache-unwritten", "direct-io", "pool-full", "memory-errors", "disk-too-warm", "backup-old",
    "repository-damaged", "machine-unprobed",
    "replication-late", "replication-failed", "replica-different", "may-unplug", "rotation-blocked",
]  # fmt: skip
RANKS: dict[Severity, int] = {"critical": 0, "warning": 1, "info": 2}
Impact = Literal[0, 1, 2]  # 2: data cannot be reached or written; 1: a disk is out; 0: neither


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that an incident is about. `here` is false for one that cannot be located, because it left."""

    id: str
    bay: str | None = None
    here: bool = True


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """One cause: what happened, what that means, and what to do, in this order.

    `subjects` are what it is about (`leaf:<guid>`, `disk:<id>`, `pool:<guid>`): two causes with one in common
    are one incident that changed. An unsure one is reported only when the next probe finds it too.
    """

    key: str
    kind: Kind
    severity: Severity
    impact: Impact = 0
    extent: int = 1  # how many disks or files it is about: what doubles is worse
    title: str
    details: tuple[str, ...]
    steps: tuple[Remedy, ...]
    subjects: tuple[str, ...]
    spots: tuple[Spot, ...] = ()
    pool: str = ""
    pool_guid: str = ""
    since: str | None = None  # ISO 8601, UTC: when it began, where that is known
    sure: bool = True


def gravity(severity: str, impact: int) -> tuple[int, int]:
    """To be compared: the more serious, the smaller."""
    return next((rank for name, rank in RANKS.items() if name == severity), len(RANKS)), -impact


def grown(extent: int, before: int) -> bool:
    """Whether it is far more than somebody has read of. 0: an older version did not remember how much."""
    return 0 < 2 * before <= extent


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An entry in the history of an incident."""

    at: str  # ISO 8601, UTC
    words: str

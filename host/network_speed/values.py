"""What iperf3 measured between this machine and another."""

from __future__ import annotations

from typing import Literal

import msgspec

Direction = Literal["sent", "received"]


class Transfer(msgspec.Struct, frozen=True, kw_only=True):
    """One direction, seen from this machine, of all streams together. Processors: the share of one core that
    was busy, here and there, from 0 (above 1 where several were).
    """

    direction: Direction
    peer: str  # its address
    local: str  # this machine's address towards it
    bytes_per_s: float
    seconds: float
    retransmits: int | None  # None where the sender does not say
    processor_here: float
    processor_there: float


class NetworkSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """One measurement. `host` is empty where this machine listens and others measure. `share` is of its time,
    from 0 to 1.
    """

    run: str
    host: str
    port: int
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    phase: Literal["sending", "receiving", "listening", "done"] = "sending"
    share: float = 0.0
    left_s: float | None = None
    transfers: tuple[Transfer, ...] = ()
    verdict: Literal["done", "stopped", "failed"] | None = None
    words: str = ""

"""How far a run of a replication has come, and what it left."""

from __future__ import annotations

from typing import Literal

import msgspec

State = Literal["waiting", "sending", "current", "conflict", "failed"]
Verdict = Literal["done", "partly", "failed", "stopped"]


class Replica(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset of it. `newest` and what belongs to it: the newest snapshot that both sides have."""

    source: str
    target: str
    state: State = "waiting"
    code: str = ""  # of a conflict: `host.replication.decide.Code`
    said: str = ""  # what zfs or ssh said where it failed
    extra: tuple[str, ...] = ()  # snapshots of the replica that the source has not
    common: str | None = None
    first: bool = False  # there is no replica yet
    expected_bytes: int | None = None
    done_bytes: int = 0
    newest: str | None = None
    newest_guid: str | None = None
    newest_at: int | None = None  # seconds since 1970


class Replicated(msgspec.Struct, frozen=True, kw_only=True):
    """What the unit last wrote of itself."""

    task: str
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    verdict: Verdict | None = None  # None while it runs
    words: str = ""  # of a run that came to nothing: why
    code: str = ""  # of such a run: "source-missing", "root-missing", "connection", "interrupted"
    bytes_per_s: int = 0
    left_behind: tuple[str, ...] = ()  # replicas whose dataset is no longer at the source
    available_bytes: int | None = None  # at the target, before the run
    datasets: tuple[Replica, ...] = ()

    @property
    def done_bytes(self) -> int:
        """What was sent in this run."""
        return sum(one.done_bytes for one in self.datasets)

    @property
    def expected_bytes(self) -> int:
        """What was to be sent in this run, as zfs estimated it."""
        return sum(one.expected_bytes or 0 for one in self.datasets)

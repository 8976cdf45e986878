"""What is to be replicated where: the whole of what a run's program is told."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.base import DatasetName
from host.system.own_datasets import is_ours

TaskId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
ConnectionId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
_Minute = Annotated[int, Meta(ge=0, le=1440)]
_DAY_MIN = 1440
_Count = Annotated[int, Meta(ge=0, le=10_000)]


class Connection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the other machine is reached: root's files about it have that name."""

    id: ConnectionId
    kind: Literal["nasweb", "ssh"]


class Limit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No more than so many bytes a second, from one minute of the day to another (over midnight, too)."""

    bytes_per_s: Annotated[int, Meta(ge=1024)]
    start_min: _Minute = 0
    end_min: _Minute = _DAY_MIN

    def holds(self, minute: int) -> bool:
        """Whether it is about this minute of the day, 0 to 1439."""
        if self.start_min <= self.end_min:
            return self.start_min <= minute < self.end_min
        return minute >= self.start_min or minute < self.end_min


class ReplicaRetention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many hours, days, weeks, months and years a replica keeps a snapshot of: the last of each."""

    hourly: _Count = 0
    daily: _Count = 0
    weekly: _Count = 0
    monthly: _Count = 0
    yearly: _Count = 0

    def __post_init__(self) -> None:
        if not any((self.hourly, self.daily, self.weekly, self.monthly, self.yearly)):
            raise ValueError("It would keep nothing")


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One replication. `target` lies below `root`, which is there already, at the side it is sent to.

    `connection` leads to the side that is not this machine: the target's, or with `pull` the source's.
    """

    id: TaskId
    source: DatasetName
    root: DatasetName
    target: DatasetName
    recursive: bool = True
    excluded: tuple[DatasetName, ...] = ()  # with all that lies below them
    connection: Connection | None = None
    pull: bool = False
    raw: bool = True
    anew: bool = False  # see `host.commands.replication.streams.SendStream`
    properties: bool = True
    limits: tuple[Limit, ...] = ()
    retention: ReplicaRetention | None = None  # of the replica's snapshots; None: it keeps all
    own_snapshots: bool = False  # it takes a snapshot of all before it begins, and keeps its newest alone

    def __post_init__(self) -> None:
        if not within(self.target, self.root):
            raise ValueError("The target is not below its root")
        if self.anew and (self.raw or self.connection is not None):
            raise ValueError("Blocks are written anew on this machine alone, and not raw")
        if is_ours(self.source) or is_ours(self.target):
            raise ValueError("It holds the settings or the system of a machine")
        if self.connection is None and overlapping(self.source, self.target):
            raise ValueError("The source and the target lie within each other")

    def wants(self, dataset: str) -> bool:
        """Whether a dataset at the source belongs to it: never those that hold the machine's own secrets."""
        if is_ours(dataset):
            return False
        if dataset != self.source and not (self.recursive and within(dataset, self.source)):
            return False
        return not any(within(dataset, one) for one in self.excluded)

    def replica_of(self, dataset: str) -> str:
        """What a dataset of the source is called at the target."""
        return f"{self.target}{dataset.removeprefix(self.source)}"

    def rate_at(self, minute: int) -> int | None:
        """The bytes a second that may pass at this minute of the day; None: as many as can."""
        rates = [limit.bytes_per_s for limit in self.limits if limit.holds(minute)]
        return min(rates, default=None)


def within(dataset: str, outer: str) -> bool:
    """Whether it is `outer` or lies below it."""
    return dataset == outer or dataset.startswith(f"{outer}/")


def overlapping(one: str, other: str) -> bool:
    """Whether one of the two lies within the other."""
    return within(one, other) or within(other, one)

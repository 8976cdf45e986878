"""Replications: what is wanted and where it goes, and how far the last run has come."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.commands.replication.task import Limit, ReplicaRetention

TargetKind = Literal["pool", "nasweb", "ssh"]
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


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A place where replicas lie: below `dataset`, of a pool of this machine or of another machine."""

    id: int
    name: str
    kind: TargetKind
    dataset: str
    pool_guid: str = ""  # of a pool of this machine
    rotating: bool = False  # such a pool that is unplugged now and then
    connection: str = ""  # what root's files about another machine are called: 16 hex digits
    host: str = ""
    port: int = 22
    user: str = ""
    host_keys: tuple[str, ...] = ()  # by which the other machine is known; none before somebody trusted them
    machine: str = ""  # what a paired Nasweb calls itself
    shared: tuple[str, ...] = ()  # datasets there that it lets this machine read


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """Another Nasweb that may replicate to this one. Below `dataset` lie its replicas; it may read
    `shared`."""

    id: int
    name: str
    peer: str  # what root's files about it are called: 16 hex digits
    dataset: str
    shared: tuple[str, ...] = ()
    user_key: str = ""  # by which it signs in; empty before it was paired
    machine: str = ""  # what it calls itself


class Replication(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be replicated where; see `host.commands.replication.task.Task`, which it becomes."""

    id: int
    key: str  # what its unit, its report and its marks are called: 16 hex digits
    name: str
    source: str
    source_guid: str = ""  # of a dataset of this machine: it may be renamed
    target_id: int
    target: str
    pull: bool = False
    recursive: bool = True
    excluded: tuple[str, ...] = ()
    excluded_guids: dict[str, str] = {}  # of those that are there, by name: they may be renamed, too
    raw: bool = True
    properties: bool = True
    limits: tuple[Limit, ...] = ()
    retention: ReplicaRetention | None = None  # of the replica's snapshots; None: it keeps all
    own_snapshots: bool = False  # it takes one before each run; else it sends those that are there
    after_snapshots: bool = False  # runs after each run of the snapshot policies on its source
    aim_hours: int = 26  # how old the newest copy may become before somebody is told
    enabled: bool = True
    running: bool = False  # a run was started whose end is not known yet
    proving: bool = False  # a proof was started whose end is not known yet
    verdict: Verdict | None = None  # of the last run; None before its end
    back: bool = False  # it leads back now: from `target` to `source`
    was: str = ""  # the source before, where it comes back to another place
    # What a replica does not take over of its source, by the source's dataset, as it was at the last run.
    kept: dict[str, dict[str, str]] = {}


class Replicating(msgspec.Struct, frozen=True, kw_only=True):
    """All of it, as the database has it; filled in by `replication`."""

    targets: tuple[Target, ...] = ()
    tasks: tuple[Replication, ...] = ()
    pairings: tuple[Pairing, ...] = ()

    def pairing(self, pairing_id: int) -> Pairing | None:
        """The pairing with that number."""
        return next((one for one in self.pairings if one.id == pairing_id), None)

    def target(self, target_id: int) -> Target | None:
        """The target with that number."""
        return next((one for one in self.targets if one.id == target_id), None)

    def task(self, name: str) -> Replication | None:
        """The replication of that name."""
        return next((one for one in self.tasks if one.name == name), None)

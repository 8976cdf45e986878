"""What runs beside the commands on a simulated machine, its clients, and what waits to be collected."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.commands.network_speed import ListenForSpeedTests, MeasureNetworkSpeed
from host.commands.pools.benchmark import StartBenchmark
from host.commands.replication.task import Task
from host.commands.system.power import PowerOrder
from host.replication.proof import Proof
from host.replication.values import Replicated


class BurnInRun(msgspec.Struct, kw_only=True):
    """The last burn-in of a disk; how far it has come is worked out from the clock."""

    started: float  # Unix time
    ended: float | None = None  # when it ended before its time, and how
    end: Literal["stopped", "pulled", "cut off"] | None = None
    weak: bool = False  # it will find that the disk forgets


class RightsRun(msgspec.Struct, kw_only=True):
    """A run over a folder's rights; how far it has come is worked out from the clock."""

    dataset: str
    path: str
    access: str
    started: float  # Unix time
    stopped: float | None = None
    files: int = 0  # that it will have set
    folders: int = 0
    skipped: int = 0


class MeasuringRun(msgspec.Struct, kw_only=True):
    """The last measurement of a kind, of a dataset's files or of a pool; how far it has come follows from the
    clock."""

    what: Literal["compression", "files", "dedup", "blocks", "benchmark", "network"]
    run: str
    dataset: str  # or the pool
    tag: str
    started: float  # the machine's clock, as the two that follow
    stopped: float | None = None
    cut_off: float | None = None
    record_bytes: int = 0  # of compression, as the two that follow
    ashift: int = 0
    embeds: bool = False
    compares: bool = False  # of files
    benchmark: StartBenchmark | None = None  # of one, as the next
    network: MeasureNetworkSpeed | ListenForSpeedTests | None = None


class ReplicationRun(msgspec.Struct, kw_only=True):
    """The last run of a replication: planned when it starts, carried out when its time is over."""

    task: Task
    planned: Replicated
    started: float  # the machine's clock
    seconds: float
    report: Replicated | None = None  # once it has ended


class ProofRun(msgspec.Struct, kw_only=True):
    """The last proof of a replication; it takes some seconds by the machine's clock."""

    task: Task
    started: float
    report: Proof | None = None


class Neighbour(msgspec.Struct, kw_only=True):
    """Another machine with OpenZFS and an SSH server, as this one sees it."""

    host_keys: list[str]
    port: int = 22
    zfs: str = "2.3.9-1"
    datasets: list[str] = []
    accepts: list[str] | None = None  # the keys of users that it lets in; None: whatever key it is shown


class ConversionRun(msgspec.Struct, kw_only=True):
    """The system's copy onto the second half of a pair to come; its progress follows from the time."""

    array: str  # UUID, as mdadm writes it
    disk: str  # link
    started: float  # the machine's clock, as the two that follow
    stopped: float | None = None
    restarted: float | None = None  # when the restart into the copy was asked for
    refused: bool = False  # the copy did not start
    total: int = 0  # bytes


class PowerRun(msgspec.Struct, kw_only=True):
    """A restart or a shutdown that was ordered."""

    order: PowerOrder
    since: float  # the machine's clock


class HandedOut(msgspec.Struct, kw_only=True):
    """A file that was opened for the console."""

    dataset: str
    tag: str | None
    path: str
    archive: bool
    copy: bool = False  # a copy of the console's settings; without a dataset one that was sent


class Receiving(msgspec.Struct, kw_only=True):
    """A program that makes files for the console."""

    dataset: str
    person: str


class Client(msgspec.Struct, kw_only=True):
    """Somebody who is connected."""

    protocol: Literal["smb", "nfs"]
    number: int  # of the process that serves it, or of the NFS client
    session: int
    person: str = "nobody"
    uid: int = 65534
    address: str
    name: str  # of the client's machine
    since: float
    share: str = ""
    folder: str = ""  # that is shared
    degree: Literal["none", "partial", "full"] = "partial"  # of signing; with full also of encryption
    files: dict[str, str] = {}  # path in the share → r, w or rw

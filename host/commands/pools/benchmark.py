"""Benchmarks of a pool: in a unit of its own, on a dataset that is destroyed at its end."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.benchmark.profiles import LEAST_BYTES, MOST_BYTES
from host.benchmark.values import Profile
from host.commands.base import Command, DiskLink, PoolName
from host.commands.datasets.measuring import MeasurementSaid, RecordBytes, RunId, started
from host.commands.starting import START_S, explained
from host.system.own_datasets import BENCHMARK, MADE_BY_BENCHMARK

Clients = Annotated[int, Meta(ge=1, le=64)]
FileBytes = Annotated[int, Meta(ge=LEAST_BYTES, le=MOST_BYTES)]
Compression = Literal["off", "lz4", "zstd-1", "zstd-3", "zstd-6", "zstd-9", "zstd-19", "gzip-6", "zle"]


class StartBenchmark(Command, frozen=True, kw_only=True):
    """Begin to measure a pool. It ends once its dataset is mounted, where only the unit sees it, and goes on
    in the background. `disks` are read alone first, and never written.
    """

    timeout_s = START_S
    touches = frozenset()
    run: RunId
    pool: PoolName
    profile: Profile
    record_bytes: RecordBytes
    compression: Compression
    clients: Clients
    size_bytes: FileBytes
    disks: Annotated[tuple[DiskLink, ...], Meta(max_length=1000)] = ()

    def argv(self) -> tuple[str, ...]:
        options = (
            f"--pool={self.pool}", f"--profile={self.profile}", f"--record={self.record_bytes}",
            f"--compression={self.compression}", f"--clients={self.clients}", f"--size={self.size_bytes}",
            *(f"--disk={disk}" for disk in self.disks),
        )  # fmt: skip
        return started("benchmark", self.run, self.pool, *options)

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=MeasurementSaid(what="benchmark", run=self.run))


class CreateBenchmarkDataset(Command, frozen=True, kw_only=True):
    """The dataset, mounted by nobody else. It has no quota: near one ZFS reserves up to 24 times what is
    written (spa_asize_inflation), and writes are slower. For the unit's program alone.
    """

    touches = frozenset()
    pool: PoolName
    record_bytes: RecordBytes
    compression: Compression

    def argv(self) -> tuple[str, ...]:
        properties = {
            "mountpoint": "legacy", "readonly": "off", "atime": "off", "primarycache": "metadata",
            "secondarycache": "none", "sync": "standard", "copies": "1", "dedup": "off",
            "recordsize": str(self.record_bytes), "compression": self.compression,
            "nasweb:policy": "off", MADE_BY_BENCHMARK: "on",
        }  # fmt: skip
        given = (word for name, value in properties.items() for word in ("-o", f"{name}={value}"))
        return ("zfs", "create", "-u", *given, dataset_of(self.pool))


class ReadBenchmarkMark(Command, frozen=True, kw_only=True):
    """Whether a benchmark made what is called so; status 1 where there is nothing."""

    reads = True
    good_exits = (0, 1)
    pool: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "get", "-Hp", "-o", "value,source", MADE_BY_BENCHMARK, dataset_of(self.pool))

    def fault(self, stdout: str, stderr: str) -> str | None:
        return None if stdout else _unless_gone(self.pool, stderr)


class RemoveBenchmarkDataset(Command, frozen=True, kw_only=True):
    """Destroy what a benchmark left; status 1 where there is nothing. What none made is left alone."""

    timeout_s = 300.0
    touches = frozenset()
    good_exits = (0, 1)
    pool: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "destroy", "-r", dataset_of(self.pool))

    def asks_first(self) -> Command:
        return ReadBenchmarkMark(pool=self.pool)

    def objection(self, said: str) -> str | None:
        if said in {"", "on\tlocal\n"}:  # zfs says itself that there is nothing
            return None
        return f"{dataset_of(self.pool)} was made by no benchmark, and is left alone."

    def fault(self, stdout: str, stderr: str) -> str | None:
        return _unless_gone(self.pool, stderr) if stderr else None


def _unless_gone(pool: str, stderr: str) -> str | None:
    gone = f"cannot open '{dataset_of(pool)}': dataset does not exist"
    return None if stderr.strip() == gone else stderr.strip()


def dataset_of(pool: str) -> str:
    """Where a benchmark of that pool has its files."""
    return f"{pool}/{BENCHMARK}"


Commands = StartBenchmark | RemoveBenchmarkDataset

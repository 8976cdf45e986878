"""Deduplication: an estimate in a unit of its own, and the table of a pool that has one."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, PoolName
from host.commands.datasets.measuring import MeasurementSaid, RunId, started
from host.commands.starting import START_S, explained

MemoryMib = Annotated[int, Meta(ge=256, le=1 << 20)]


class EstimateDedup(Command, frozen=True, kw_only=True):
    """Begin to count the equal blocks of a pool. It goes on in the background; no data is read but block
    pointers, and where it would need more than `memory_mib` it ends.
    """

    timeout_s = START_S
    touches = frozenset()
    run: RunId
    pool: PoolName
    memory_mib: MemoryMib

    def argv(self) -> tuple[str, ...]:
        return started("dedup", self.run, self.pool, f"--pool={self.pool}", memory_mib=self.memory_mib)

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=MeasurementSaid(what="dedup", run=self.run))


class ReadDedupTable(Command, frozen=True, kw_only=True):
    """The state of a pool with the size of its table of deduplication, and how often its blocks are
    referenced."""

    reads = True
    timeout_s = 120.0
    pool: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "status", "-D", "-p", self.pool)


class ListObjectSets(Command, frozen=True, kw_only=True):
    """The number of each file system, volume and snapshot of a pool, and the bytes that were written since
    the snapshot before it: tab-separated. For the program alone.
    """

    reads = True
    timeout_s = 600.0
    pool: PoolName

    def argv(self) -> tuple[str, ...]:
        kinds = ("-t", "filesystem,volume,snapshot")
        return ("zfs", "list", "-Hp", "-r", *kinds, "-o", "objsetid,written", self.pool)


class SyncPool(Command, frozen=True, kw_only=True):
    """Have what was written reach the disks: zdb reads them past the kernel. For the program alone."""

    timeout_s = 120.0
    pool: PoolName

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "sync", self.pool)


def simulation(pool: str) -> tuple[str, ...]:
    """What the program starts. zdb's lines come at once, and not when 4 KiB of them are full."""
    return ("stdbuf", "-oL", "zdb", "-SS", pool)


Commands = EstimateDedup | ReadDedupTable

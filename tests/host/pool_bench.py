"""A simulated pool on six prepared disks, for the tests of what befalls it."""

from __future__ import annotations

from pathlib import Path

from host.commands.datasets.zfs import ZfsCreate
from host.commands.disks.partition import WritePartition
from host.commands.pools.zpool import Role, VdevSpec, ZpoolCreate
from host.inventory import Disk, Pool, Vdev, leaves
from host.layouts import Layout
from host.probe.whole import probe
from host.simulated import SimulatedHost

GIB = 1 << 30
LONG_S = 1e6  # long enough for everything that progresses over time


class PoolBench:
    """The machine, its disks and the links to their partitions."""

    def __init__(self, folder: Path) -> None:
        self.host = SimulatedHost(folder / "machine.json", "home")
        self.disks = [disk for disk in probe(self.host).disks if disk.transport == "sata"]
        for disk in self.disks:
            self.host.run(WritePartition(disk=disk.link, size_mib=2_859_539))
        self.parts = [f"{disk.link}-part1" for disk in self.disks]

    def create(self, *wanted: tuple[Role, Layout, int], data: int = 500 * GIB, **more: str) -> Pool:
        """A pool `tank` of these vdevs with so many bytes in it."""
        parts = iter(self.parts)
        vdevs = tuple(
            VdevSpec(role=role, layout=layout, devices=tuple(next(parts) for _ in range(count)))
            for role, layout, count in wanted
        )
        properties = {"ashift": "12"} | more
        self.host.run(ZpoolCreate(name="tank", vdevs=vdevs, mountpoint="/tank", properties=properties))
        self.host.run(ZfsCreate(name="tank/media"))
        self.host.write("tank/media", data)
        return self.pool()

    def pool(self) -> Pool:
        """As it is now."""
        found = probe(self.host).pool("tank")
        assert found is not None
        return found

    def disk(self, index: int) -> Disk:
        """As it is now."""
        found = probe(self.host).disk(self.disks[index].id)
        assert found is not None
        return found

    def left(self) -> list[int]:
        """Which of the disks have left the pool, and nothing else claims them."""
        kinds = {index: [claim.kind for claim in self.disk(index).claims] for index in range(len(self.disks))}
        return [index for index, found in kinds.items() if found == ["former-member"]]

    def states(self) -> list[str]:
        """Of the leaves of the data vdevs."""
        return [leaf.state for leaf in self.data()]

    def data(self) -> list[Vdev]:
        """The leaves of the data vdevs."""
        return [leaf for vdev in self.pool().vdevs if vdev.role == "data" for leaf in leaves(vdev)]

    def paths(self) -> list[int]:
        """Which of the partitions the leaves of the data vdevs are."""
        return [self.parts.index(leaf.path or "") for leaf in self.data()]

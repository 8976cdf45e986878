"""The host under test, its disks, and pools that are gone afterwards."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.base import Host
from host.client import HelperHost
from host.commands import UdevSettle, WipeSignatures, WritePartition, ZpoolDestroy, ZpoolStatus
from host.inventory import Disk
from host.probe import probe
from host.probe.json_output import decode
from host.simulated import SimulatedHost
from tests.contract.bench import POOLS, Bench

_RESERVE_BYTES = 2 << 30
_MIB = 1 << 20


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A simulated machine, or the one behind the helper's socket in NASWEB_CONTRACT_SOCKET."""
    if path := os.environ.get("NASWEB_CONTRACT_SOCKET"):
        return HelperHost(Path(path))
    return SimulatedHost(tmp_path_factory.mktemp("machine") / "machine.json", "home")


@pytest.fixture(scope="session")
def disks(host: Host) -> tuple[Disk, ...]:
    """At least six disks of one size that nothing uses, in the order of their names."""
    found = [disk for disk in probe(host).disks if not disk.in_use and disk.transport != "usb"]
    if names := os.environ.get("NASWEB_CONTRACT_DISKS"):
        found = [disk for disk in found if disk.id in names.split(",")]
    sizes = Counter(disk.size_bytes for disk in found)
    usual = max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0
    chosen = tuple(disk for disk in sorted(found, key=lambda disk: disk.id) if disk.size_bytes == usual)
    if len(chosen) < 6:
        pytest.fail(f"The suite needs six free disks of one size; {len(chosen)} are here.")
    return chosen[:8]


@pytest.fixture(scope="session")
def prepared(host: Host, disks: tuple[Disk, ...]) -> tuple[str, ...]:
    """Links of the first partitions of `disks`, made once. What a pool leaves on them does not matter."""
    for disk in disks:
        prepare(host, disk)
    host.run(UdevSettle())
    return tuple(f"{disk.link}-part1" for disk in disks)


def prepare(host: Host, disk: Disk) -> None:
    """One partition for ZFS on `disk`, as plans make it."""
    numbers = tuple(sorted({part.number for part in disk.partitions if part.number} | {1}))
    present = {part.number for part in disk.partitions}
    host.run(WipeSignatures(disk=disk.link, partitions=tuple(n for n in numbers if n in present)))
    size = (disk.size_bytes - min(_RESERVE_BYTES, disk.size_bytes // 100)) // _MIB - 1
    host.run(WritePartition(disk=disk.link, size_mib=size))


@pytest.fixture
def bench(host: Host, prepared: tuple[str, ...]) -> Iterator[Bench]:
    """What tests of pools work with; their pools are destroyed afterwards."""
    yield Bench(host, prepared)
    destroy_pools(host)


@pytest.fixture(scope="module")
def tank(host: Host, prepared: tuple[str, ...]) -> Iterator[Bench]:
    """A mirror that all tests of a module share: each works in a dataset of its own."""
    bench = Bench(host, prepared)
    bench.create(("data", "mirror", 2))
    yield bench
    destroy_pools(host)


def destroy_pools(host: Host) -> None:
    """Destroy the pools of this suite, and no other."""
    for name in decode(host.run(ZpoolStatus()).stdout, command="zpool status")["pools"]:
        if name in POOLS:
            host.run(ZpoolDestroy(name=name))

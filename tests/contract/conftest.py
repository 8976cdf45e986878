"""The host under test, its disks, and pools that are gone afterwards."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest

from host.base import Host
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures, WritePartition
from host.inventory import Disk
from host.probe.whole import probe
from host.simulated import SimulatedHost
from tests.contract import secrets
from tests.contract.bench import Bench, partition_mib, read_disks
from tests.contract.real_run import RealRun, the_sockets

_real_run = RealRun() if the_sockets() else None


def pytest_configure(config: pytest.Config) -> None:
    """On a real machine not everything is always run, and what is run has its price."""
    if _real_run is not None:
        config.pluginmanager.register(_real_run)


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A simulated machine, or the one behind the helper's socket in NASWEB_CONTRACT_SOCKET.

    Where that names several sockets, separated by commas, each worker of xdist has the one of its number.
    """
    if _real_run is not None:
        return _real_run.host()
    folder = tmp_path_factory.mktemp("machine")
    secrets.keep_all(folder / "secrets")
    simulated = SimulatedHost(folder / "machine.json", "home")
    # As in the lab after a drill: its disks have been used before.
    prepare(simulated, *(disk for disk in probe(simulated).disks if disk.free))
    return simulated


@pytest.fixture(scope="session")
def disks(host: Host) -> tuple[Disk, ...]:
    """At least six disks of one size that nothing uses, in the order of their names."""
    found = [disk for disk in read_disks(host) if not disk.in_use and disk.transport != "usb"]
    if names := os.environ.get("NASWEB_CONTRACT_DISKS"):
        found = [disk for disk in found if disk.id in names.split(",")]
    sizes = Counter(disk.size_bytes for disk in found)
    usual = max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0
    chosen = tuple(disk for disk in sorted(found, key=lambda disk: disk.id) if disk.size_bytes == usual)
    if len(chosen) < 6:
        pytest.fail(f"The suite needs six free disks of one size; {len(chosen)} are here.")
    return chosen[:8]


@pytest.fixture(scope="session")
def prepared(host: Host, disks: tuple[Disk, ...]) -> tuple[Disk, ...]:
    """`disks` with a partition each, made once."""
    prepare(host, *disks)
    return disks


def again(host: Host, disk: Disk) -> Disk:
    """`disk` as it is now, once udev has seen what was written to it."""
    host.run(UdevSettle())
    found = next((each for each in read_disks(host) if each.id == disk.id), None)
    assert found is not None
    return found


def prepare(host: Host, *disks: Disk) -> None:
    """One partition for ZFS on each of `disks`, as plans make it, whatever has become of them since."""
    now = {disk.id: disk for disk in read_disks(host)}
    for disk in disks:
        found = now[disk.id]
        numbers = tuple(part.number for part in found.partitions if part.number)
        host.run(WipeSignatures(disk=disk.link, partitions=numbers))
        host.run(WritePartition(disk=disk.link, size_mib=partition_mib(found)))
    wait_for(host, disks)


def wait_for(host: Host, disks: tuple[Disk, ...]) -> None:
    """The links of their partitions are there."""
    host.run(UdevWait(links=tuple(f"{disk.link}-part1" for disk in disks)))


@pytest.fixture
def bench(host: Host, prepared: tuple[Disk, ...]) -> Iterator[Bench]:
    """What tests of pools work with; their pools are destroyed afterwards."""
    bench = Bench(host, prepared)
    yield bench
    bench.host.end()


@pytest.fixture(scope="session")
def shared_pool(host: Host, prepared: tuple[Disk, ...]) -> Iterator[SharedPool]:
    """For `tank`."""
    pool = SharedPool(host, prepared)
    yield pool
    pool.end()


@pytest.fixture
def tank(shared_pool: SharedPool) -> Iterator[Bench]:
    """A pool of one disk that the tests share: each works in a dataset of its own, which is gone after it."""
    bench = shared_pool.begin()
    yield bench
    bench.tidy()


class SharedPool:
    """A pool that is there from the first test that wants it until one wants its disks."""

    running: SharedPool | None = None

    def __init__(self, host: Host, disks: tuple[Disk, ...]) -> None:
        self._bench = Bench(host, disks)

    def begin(self) -> Bench:
        """The pool, made where it is not there."""
        if SharedPool.running is None:
            self._bench.create(("data", "stripe", 1))
            SharedPool.running = self
        return self._bench

    def end(self) -> None:
        """Destroy it, where it is there."""
        if SharedPool.running is not None:
            SharedPool.running = None
            self._bench.host.end()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before the fixtures of a module, which take disks."""
    used = item.fixturenames if isinstance(item, pytest.Function) else []
    if SharedPool.running is not None and "disks" in used and "tank" not in used:
        SharedPool.running.end()

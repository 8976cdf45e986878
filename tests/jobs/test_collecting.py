"""Rounds of collection: what two readings of the kernel's counters become."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from disks.activity import of_disks
from disks.known import complete
from host.inventory import Inventory, Vdev
from host.inventory.network import Interface, Network
from host.kernel.arc import Access, Arc
from host.kernel.counters import Counters
from host.kernel.disks import DiskCounters
from host.kernel.memory_errors import MemoryErrors
from host.kernel.ports import PortCounters
from host.kernel.system import CpuTimes, Memory
from host.simulated import SimulatedHost
from jobs import cache, series
from jobs.series.collecting import Collection, Collector, Round
from machine.activity import of_machine, of_ports
from pools.activity import of_pools
from tests import made
from tests.disks.cases import disk, machine

NOTHING = DiskCounters(0, 0, 0, 0, 0, 0, 0)


def rates(collector: Collector, before: dict[str, Any], now: dict[str, Any], inventory: Inventory) -> Any:
    """Values by the name of the series, of two rounds ten seconds apart."""
    of = Round(Counters(time=990.0, uptime=50.0, **before), Counters(time=1000.0, uptime=60.0, **now))
    points = list(collector(of, inventory))
    assert {point.time for point in points} <= {1000}
    return {point.name: point.value for point in points}


def test_a_disk_has_rates_mean_times_and_its_utilisation(db: None) -> None:
    found = rates(
        of_disks,
        {"disks": {"sda": NOTHING, "sdb": NOTHING._replace(read_bytes=9_000)}},
        {"disks": {"sda": DiskCounters(100, 60_000, 500, 0, 600, 0, 2_500), "sdb": NOTHING}},
        complete(machine(disk(1), disk(2))),
    )
    assert found == {
        "disk.read_bytes:WD-0001": 6_000, "disk.write_bytes:WD-0001": 60, "disk.reads:WD-0001": 10,
        "disk.writes:WD-0001": 0, "disk.read_ms:WD-0001": 5, "disk.busy_percent:WD-0001": 25,
    }  # fmt: skip


def test_a_pool_does_what_its_data_devices_do_and_those_that_came_anew_count_for_nothing() -> None:
    def leaf(number: int, role: Any = "data") -> Vdev:
        path = f"/dev/disk/by-id/{made.disk(number).id}-part1"
        return Vdev(
            guid=str(number), name=path, kind="disk", role=role, state="ONLINE", path=path,
            disk=made.disk(number).id,
        )  # fmt: skip

    tank = made.pool(vdevs=(leaf(1), leaf(2), leaf(3), leaf(4, "cache")))
    inventory = msgspec.structs.replace(made.inventory(*map(made.disk, range(1, 5))), pools=(tank,))
    once = DiskCounters(10, 4_000, 30, 20, 8_000, 100, 0)
    names = [one.path.rpartition("/")[2] for one in inventory.disks]
    before = dict.fromkeys(names, NOTHING) | {names[1]: once, names[2]: once}
    now = dict.fromkeys(names, once) | {names[1]: DiskCounters(*(2 * one for one in once)), names[2]: NOTHING}
    assert rates(of_pools, {"disks": before}, {"disks": now}, inventory) == {
        f"pool.read_bytes:{tank.guid}": 800, f"pool.write_bytes:{tank.guid}": 1_600,
        f"pool.reads:{tank.guid}": 2, f"pool.writes:{tank.guid}": 4,
        f"pool.read_ms:{tank.guid}": 3, f"pool.write_ms:{tank.guid}": 5,
    }  # fmt: skip


def test_processors_memory_and_pressure_are_shares_and_bytes() -> None:
    arc = Arc(200, 400, 0, 800, 50, Access(0, 0), Access(5, 9), 0, 0, Access(0, 0))
    found = rates(
        of_machine,
        {"cpu": CpuTimes(0, 0, 9, 0, 1_000), "arc": arc, "pressure": {"io": 0}, "nfs": (0, 50)},
        {
            "cpu": CpuTimes(300, 100, 5, 0, 2_000), "load": 0.5, "cpu_celsius": 51.5,
            "memory": Memory(10_000, 6_000, 7), "pressure": {"io": 500_000, "cpu": 3}, "nfs": (100, 40),
            "arc": arc._replace(demand=Access(90, 100), ghost_hits=20, l2_size=60, l2=Access(1, 4)),
            "memory_errors": {"DIMM_A1": MemoryErrors(3, 0)},
        },
        made.inventory(),
    )  # fmt: skip
    assert found == {
        "cpu.user_percent": 30, "cpu.system_percent": 10, "cpu.iowait_percent": 0, "cpu.steal_percent": 0,
        "cpu.celsius": 51.5, "cpu.load": 0.5, "memory.available_bytes": 6_000,
        "memory.programs_bytes": 3_800, "memory.swap_bytes": 7, "pressure.io_percent": 5,
        "pressure.cpu_percent": 0, "nfs.read_bytes": 10, "arc.size_bytes": 200, "arc.target_bytes": 400,
        "arc.metadata_percent": 25, "arc.demand_hit_percent": 90, "arc.ghost_hits": 2,
        "l2arc.size_bytes": 60, "l2arc.hit_percent": 25, "memory.corrected_errors:DIMM_A1": 3,
        "memory.uncorrected_errors:DIMM_A1": 0,
    }  # fmt: skip


def test_ports_are_those_of_the_network_page_and_one_without_a_cable_has_no_speed() -> None:
    here = Network(interfaces=(Interface(name="eno1"), Interface(name="eno2")))
    inventory = msgspec.structs.replace(made.inventory(), network=here)
    before = dict.fromkeys(("eno1", "eno2", "veth0"), PortCounters(0, 1_000, 0, 0, None))
    now = before | {"eno1": PortCounters(5_000, 3_000, 10, 0, 2_500)}
    found = rates(of_ports, {"ports": before}, {"ports": now}, inventory)
    assert {name: value for name, value in found.items() if value} == {
        "port.received_bytes:eno1": 500, "port.sent_bytes:eno1": 200, "port.errors:eno1": 1,
        "port.mbit:eno1": 2_500,
    }  # fmt: skip
    assert "port.mbit:eno2" not in found and not any("veth0" in name for name in found)


@pytest.fixture
def collection(simulated: SimulatedHost) -> Collection:
    return Collection()


def collected() -> set[str]:
    kinds = (
        "cpu.user_percent",
        "disk.busy_percent",
        "port.sent_bytes",
        "arc.size_bytes",
        "memory.programs_bytes",
    )
    return set(series.newest(kinds, since=datetime.now(UTC) - timedelta(minutes=1)))


def test_a_round_beside_the_one_before_becomes_points(
    collection: Collection, simulated: SimulatedHost
) -> None:
    collection.collect(cache.current())
    assert collected() == set()
    simulated.pass_time(10)
    collection.collect(cache.current())
    found = collected()
    assert {"cpu.user_percent", "port.sent_bytes:eno1", "arc.size_bytes", "memory.programs_bytes"} <= found
    assert "disk.busy_percent:WD-WMC4N0D2J7PA" in found


@pytest.mark.parametrize("seconds", [-5, 0, 90])
def test_what_lies_too_far_apart_or_before_a_restart_becomes_none(
    collection: Collection, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    ups = iter((100.0, 100.0 + seconds))
    monkeypatch.setattr(
        "jobs.series.collecting.read_counters",
        lambda _, time: Counters(time=time, uptime=next(ups), load=1.0),
    )
    collection.collect(cache.current())
    collection.collect(cache.current())
    assert series.newest(("cpu.load",), since=datetime.now(UTC) - timedelta(minutes=1)) == {}


def test_a_round_is_not_joined_by_the_next(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.series.collecting.read_counters", lambda *_: pytest.fail("it was read"))
    with collection._lock:
        collection.collect(cache.current())


def test_before_the_first_inventory_nothing_is_recorded(collection: Collection) -> None:
    collection.collect(None)
    collection.collect(None)
    assert collected() == set()

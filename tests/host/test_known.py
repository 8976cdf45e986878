"""Which families a probe reads anew, and what it reuses."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from host.base import CommandFailed, Host, HostError, Result
from host.commands.base import Command
from host.commands.datasets.zfs import ZfsGet
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.families import EVERYTHING, NOTHING, Families, Family, widened
from host.probe import known
from host.probe.cache import ProbeCache
from host.probe.whole import probe
from host.simulated import SimulatedHost

OF_FAMILY = {
    Family.DISKS: {"DiskLinks", "LoopFiles", "Lsblk", "MdState", "ListEnclosures", "ListUnits"},
    Family.POOLS: {"ZpoolGet", "ZpoolStatus"},
    Family.DATASETS: {"ZfsGet", "ZfsListNames"},
    Family.SHARES: {"SharingFiles", "SharingServices"},
    Family.PEOPLE: {"ReadFact"},
    Family.NAMES: {"MachineFiles", "MachineMarks"},
    Family.NETWORK: {"NetworkUnits", "Addresses", "DefaultRoutes"},
    Family.SYSTEM: {"ArcFiles", "SwapFiles", "ZramProgram", "StateFiles", "StateSpace", "ReadBootNotes"},
}


class Counting:
    """A machine that remembers the names of the commands it was asked for."""

    kind = "simulated"

    def __init__(self, host: Host) -> None:
        self._host = host
        self.asked: set[str] = set()
        self.before: Callable[[Command], None] = lambda _: None

    def run(self, command: Command) -> Result:
        self.asked.add(type(command).__name__)
        self.before(command)
        return self._host.run(command)


@pytest.fixture
def machine(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "home")


@pytest.fixture
def host(machine: SimulatedHost) -> Counting:
    return Counting(machine)


@pytest.fixture
def memory(host: Counting) -> ProbeCache:
    """It knows the whole machine."""
    memory = ProbeCache()
    probe(host, cache=memory)
    host.asked.clear()
    return memory


def commands(*families: Family) -> set[str]:
    return set().union(*(OF_FAMILY[family] for family in families))


def test_every_family_is_read_for_a_whole_probe(host: Counting) -> None:
    memory = ProbeCache()
    probe(host, cache=memory)
    host.asked.clear()
    probe(host, cache=memory)
    assert host.asked == commands(*Family)


@pytest.mark.parametrize("family", Family)
def test_a_family_is_read_with_what_belongs_to_it(host: Counting, memory: ProbeCache, family: Family) -> None:
    before = probe(host, cache=memory, fresh=NOTHING)
    assert host.asked == set()
    after = probe(host, cache=memory, fresh=frozenset({family}))
    assert host.asked == commands(*widened(frozenset({family})))
    assert after == before  # complete, and as old as its oldest family


@pytest.mark.parametrize("family", Family)
def test_what_a_command_touched_is_read_anew(host: Counting, memory: ProbeCache, family: Family) -> None:
    memory.known.forget(frozenset({family}))
    probe(host, cache=memory, fresh=NOTHING)
    assert commands(family) <= host.asked
    host.asked.clear()
    probe(host, cache=memory, fresh=NOTHING)
    assert host.asked == set()


def test_what_is_old_is_read_anew(
    host: Counting, memory: ProbeCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = probe(host, cache=memory, fresh=NOTHING)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + known.YOUNG_S)
    after = probe(host, cache=memory, fresh=frozenset({Family.SHARES}))
    assert host.asked == commands(*Family)
    assert after.as_of > before.as_of


def test_an_inventory_is_as_old_as_its_oldest_family(host: Counting, memory: ProbeCache) -> None:
    whole = probe(host, cache=memory, fresh=NOTHING)
    assert probe(host, cache=memory, fresh=EVERYTHING - {Family.PEOPLE}).as_of == whole.as_of
    assert probe(host, cache=memory, fresh=frozenset({Family.PEOPLE})).as_of > whole.as_of


def test_a_reading_during_which_its_facts_were_touched_is_not_reused(
    host: Counting, memory: ProbeCache
) -> None:
    touched: Families = frozenset({Family.DATASETS})

    def touch(command: Command) -> None:
        if isinstance(command, ZfsGet):
            memory.known.forget(touched)

    host.before = touch
    probe(host, cache=memory, fresh=touched)
    host.before = lambda _: None
    host.asked.clear()
    probe(host, cache=memory, fresh=NOTHING)
    assert host.asked == commands(Family.DATASETS)


def test_what_is_being_read_anew_is_not_reused_meanwhile(host: Counting, memory: ProbeCache) -> None:
    """Whoever asked for the newer reading has a reason to: it must not be overtaken by older facts."""
    inner: list[set[str]] = []

    def probe_too(command: Command) -> None:
        if isinstance(command, ZfsGet) and not inner:
            inner.append(set())
            own = Counting(host._host)
            probe(own, cache=memory, fresh=NOTHING)
            inner[0] = own.asked

    host.before = probe_too
    probe(host, cache=memory, fresh=frozenset({Family.POOLS}))
    assert inner == [commands(Family.POOLS, Family.DATASETS)]


def test_a_reading_that_failed_is_not_reused(host: Counting, memory: ProbeCache) -> None:
    def fail(command: Command) -> None:
        if isinstance(command, ZfsGet):
            raise CommandFailed(command, Result(exit=1, stderr="no such module"))

    host.before = fail
    with pytest.raises(HostError, match="no such module"):
        probe(host, cache=memory, fresh=frozenset({Family.POOLS}))
    host.before = lambda _: None
    host.asked.clear()
    probe(host, cache=memory, fresh=NOTHING)
    assert host.asked == commands(Family.DATASETS)


@pytest.mark.parametrize("family", [Family.POOLS, Family.DATASETS])
def test_disks_are_read_where_pools_have_other_members_than_before(
    machine: SimulatedHost, host: Counting, memory: ProbeCache, family: Family
) -> None:
    """Somebody made a pool at the machine's own keyboard: its disks are not free any more."""
    disk = next(disk for disk in probe(machine).disks if disk.free)
    link = f"/dev/disk/by-id/{disk.id}"
    vdev = VdevSpec(role="data", layout="stripe", devices=(link,))
    machine.run(ZpoolCreate(name="tank", mountpoint="/tank", vdevs=(vdev,)))
    found = probe(host, cache=memory, fresh=frozenset({family}))
    assert commands(Family.DISKS, Family.POOLS, Family.DATASETS) <= host.asked
    now = found.disk(disk.id)
    assert now is not None and not now.free
    assert found.pools[0].vdevs[0].disk == disk.id

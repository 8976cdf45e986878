"""dRAID on the simulated machine: what zpool takes and refuses, and its distributed spares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from host.base import CommandFailed
from host.commands.disks.partition import WritePartition
from host.commands.pools.members import ZpoolDetach, ZpoolRemove
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.inventory import Disk, Pool
from host.probe.whole import probe
from host.simulated import SimulatedHost

_TRIED = json.loads((Path(__file__).parents[1] / "transcripts/errors/draid.json").read_text())


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "rack24")


def _disks(host: SimulatedHost) -> list[Disk]:
    return [disk for disk in probe(host).disks if disk.free and disk.medium == "hdd"]


def _create(host: SimulatedHost, *wanted: tuple[Any, str, int]) -> None:
    disks = iter(_disks(host))
    vdevs = []
    for role, layout, count in wanted:
        members = [next(disks) for _ in range(count)]
        for disk in members:
            host.run(WritePartition(disk=disk.link, size_mib=2_000_000))
        devices = tuple(f"{disk.link}-part1" for disk in members)
        vdevs.append(VdevSpec(role=role, layout=layout, devices=devices))
    host.run(ZpoolCreate(name="tank", vdevs=tuple(vdevs), mountpoint="/mnt/tank"))


def _tank(host: SimulatedHost) -> Pool:
    pool = probe(host).pool("tank")
    assert pool is not None
    return pool


@pytest.mark.parametrize(
    "tried", _TRIED, ids=lambda tried: "-".join(f"{v[1]}x{v[2]}" for v in tried["vdevs"])
)
def test_what_zpool_refuses_is_refused_in_its_words(host: SimulatedHost, tried: dict[str, Any]) -> None:
    wanted = [(role, layout, count) for role, layout, count in tried["vdevs"]]
    if not tried["exit"]:
        _create(host, *wanted)
        assert _tank(host).health == "healthy"
        return
    with pytest.raises(CommandFailed) as refused:
        _create(host, *wanted)
    assert (refused.value.result.exit, refused.value.result.stderr) == (tried["exit"], tried["stderr"])


def test_what_the_name_leaves_out_is_filled_in_and_spares_have_no_disk(host: SimulatedHost) -> None:
    _create(host, ("data", "draid2:2s", 14), ("special", "mirror", 3))
    pool = _tank(host)
    assert [(vdev.name, vdev.kind) for vdev in pool.vdevs if vdev.role in {"data", "special"}] == [
        ("draid2:8d:14c:2s-0", "draid"),
        ("mirror-1", "mirror"),
    ]
    spares = [(vdev.path, vdev.kind, vdev.state, vdev.disk) for vdev in pool.vdevs if vdev.role == "spare"]
    assert spares == [("draid2-0-0", "dspare", "AVAIL", None), ("draid2-0-1", "dspare", "AVAIL", None)]


def test_a_distributed_spare_stands_in_for_a_pulled_disk_and_steps_back(host: SimulatedHost) -> None:
    _create(host, ("data", "draid2:4d:12c:1s", 12))
    gone = _tank(host).vdevs[0].children[3]
    assert gone.disk is not None
    host.pull(gone.disk)
    place = _tank(host).vdevs[0].children[3]
    assert (place.name, [leaf.state for leaf in place.children]) == ("spare-3", ["REMOVED", "ONLINE"])
    assert [(vdev.name, vdev.state) for vdev in _tank(host).vdevs if vdev.role == "spare"] == [
        ("draid2-0-0", "INUSE")
    ]
    host.insert(gone.disk)
    assert (_tank(host).health, _tank(host).vdevs[-1].state) == ("healthy", "AVAIL")


def test_a_distributed_spare_stands_in_for_good_when_the_disk_is_detached(host: SimulatedHost) -> None:
    _create(host, ("data", "draid2:4d:12c:1s", 12))
    gone = _tank(host).vdevs[0].children[3]
    assert gone.disk is not None
    host.pull(gone.disk)
    host.run(ZpoolDetach(name="tank", vdev=gone.guid))
    pool = _tank(host)
    assert [leaf.name for leaf in pool.vdevs[0].children][3] == "draid2-0-0"
    assert (pool.vdevs[-1].name, pool.vdevs[-1].state) == ("draid2-0-0", "INUSE")


def test_distributed_spares_cannot_be_removed(host: SimulatedHost) -> None:
    _create(host, ("data", "draid1:1s", 6))
    spare = _tank(host).vdevs[-1]
    with pytest.raises(CommandFailed, match="not supported on this type of pool"):
        host.run(ZpoolRemove(name="tank", vdev=spare.guid))

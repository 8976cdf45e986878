"""What can happen to a simulated machine: disks come and go, things are in the way, commands fail."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from host.base import CommandFailed, HostError, Result
from host.commands.base import Command
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy
from host.commands.disks.partition import UdevSettle, WipeSignatures, WritePartition
from host.commands.facts import DiskLinks, Lsblk
from host.commands.pools.care import ZpoolClear
from host.commands.pools.zpool import VdevSpec, ZpoolCreate, ZpoolDestroy, ZpoolStatus
from host.commands.units import StartBurnIn
from host.inventory import Disk, leaves
from host.layouts import Layout
from host.probe.datasets.snapshots import list_snapshots
from host.probe.whole import probe
from host.simulated import OCCUPATIONS, Occupation, SimulatedHost
from host.simulated.__main__ import main


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "home")


def _data(host: SimulatedHost) -> list[Disk]:
    return [disk for disk in probe(host).disks if disk.transport == "sata"]


def _tank(host: SimulatedHost, layout: Layout, count: int, *, spares: int = 0) -> list[Disk]:
    disks = _data(host)
    for disk in disks:
        host.run(WritePartition(disk=disk.link, size_mib=2_859_539))
    parts = [f"{disk.link}-part1" for disk in disks]
    vdevs = [VdevSpec(role="data", layout=layout, devices=tuple(parts[:count]))]
    if spares:
        vdevs.append(VdevSpec(role="spare", layout="stripe", devices=tuple(parts[count : count + spares])))
    host.run(ZpoolCreate(name="tank", vdevs=tuple(vdevs), mountpoint="/mnt/tank"))
    return disks


def _states(host: SimulatedHost) -> tuple[str, str, list[str]]:
    pool = probe(host).pool("tank")
    assert pool is not None
    used = [leaf.state for vdev in pool.vdevs if vdev.role == "data" for leaf in leaves(vdev)]
    return pool.state, pool.health, used


def test_a_pulled_disk_is_gone_and_its_leaf_removed(host: SimulatedHost) -> None:
    disks = _tank(host, "raidz2", 6)
    host.pull(disks[2].id)
    assert (disks[2].serial or "") not in host.run(Lsblk()).stdout
    assert disks[2].id not in host.run(DiskLinks()).stdout
    online = "ONLINE"
    assert _states(host) == ("DEGRADED", "degraded", [online, online, "REMOVED", online, online, online])
    pool = probe(host).pool("tank")
    assert pool is not None
    assert (pool.status or "").startswith("One or more devices have been removed.")
    host.insert(disks[2].id)
    assert _states(host) == ("ONLINE", "healthy", [online] * 6)


def test_too_many_pulled_disks_suspend_the_pool_until_they_are_back_and_it_is_cleared(
    host: SimulatedHost,
) -> None:
    disks = _tank(host, "mirror", 2)
    for disk in disks[:2]:
        host.pull(disk.id)
    assert _states(host)[:2] == ("SUSPENDED", "suspended")
    assert probe(host).datasets == ()
    with pytest.raises(CommandFailed, match="pool I/O is currently suspended"):
        host.run(ZfsCreate(name="tank/new"))
    host.insert(disks[0].id)
    assert _states(host)[:2] == ("SUSPENDED", "suspended")
    host.run(ZpoolClear(name="tank"))
    assert _states(host)[:2] == ("DEGRADED", "degraded")
    host.run(ZfsCreate(name="tank/new"))
    host.insert(disks[1].id)
    assert _states(host)[:2] == ("ONLINE", "healthy")


def test_a_single_disk_takes_its_pool_with_it(host: SimulatedHost) -> None:
    disks = _tank(host, "stripe", 2)
    host.pull(disks[1].id)
    assert _states(host)[0] == "SUSPENDED"


def test_a_spare_stands_in_and_steps_back(host: SimulatedHost) -> None:
    disks = _tank(host, "raidz1", 4, spares=1)
    host.pull(disks[1].id)
    pool = probe(host).pool("tank")
    assert pool is not None
    raidz, spare = pool.vdevs
    assert raidz.children[1].kind == "spare"
    assert [leaf.state for leaf in raidz.children[1].children] == ["REMOVED", "ONLINE"]
    assert (spare.state, pool.state) == ("INUSE", "DEGRADED")
    assert pool.scan is not None
    assert (pool.scan.function, pool.scan.state) == ("RESILVER", "FINISHED")
    host.insert(disks[1].id)
    pool = probe(host).pool("tank")
    assert pool is not None
    assert [child.kind for child in pool.vdevs[0].children] == ["disk"] * 4
    assert (pool.vdevs[1].state, pool.state) == ("AVAIL", "ONLINE")


def test_a_disk_that_was_missing_while_its_pool_was_destroyed_still_has_its_label(
    host: SimulatedHost,
) -> None:
    disks = _tank(host, "mirror", 2)
    host.pull(disks[0].id)
    host.run(ZpoolDestroy(name="tank"))
    host.insert(disks[0].id)
    by_id = {disk.id: disk.used_by for disk in _data(host)}
    assert by_id[disks[0].id] == "exported pool tank"
    assert by_id[disks[1].id] is None


def test_an_unknown_disk_cannot_be_pulled(host: SimulatedHost) -> None:
    with pytest.raises(KeyError):
        host.pull("ata-GONE")
    with pytest.raises(KeyError):
        host.insert(_data(host)[0].id)


@pytest.mark.parametrize(
    ("how", "kind", "active"),
    [
        ("mounted-ext4", "mounted", True),
        ("unmounted-ntfs", "filesystem", False),
        ("md", "md", True),
        ("lvm", "lvm", True),
        ("luks", "luks", True),
        ("swap", "swap", True),
        ("exported-pool", "exported-pool", True),
        ("unknown", "partition-table", False),
        ("plain-crypt", "held", True),
        ("multipath", "held", True),
        ("loop", "held", True),
    ],
)
def test_what_occupies_a_disk_is_seen(host: SimulatedHost, how: Occupation, kind: str, active: bool) -> None:
    link = _data(host)[0].id
    host.occupy(link, how)
    found = next(disk for disk in _data(host) if disk.id == link)
    assert [(claim.kind, claim.active) for claim in found.claims] == [(kind, active)]


@pytest.mark.parametrize("how", ["mounted-ext4", "md", "lvm", "swap", "plain-crypt", "multipath", "loop"])
def test_what_is_held_cannot_be_wiped(host: SimulatedHost, how: Occupation) -> None:
    disk = _data(host)[0]
    host.occupy(disk.id, how)
    with pytest.raises(CommandFailed, match="Device or resource busy"):
        host.run(WipeSignatures(disk=disk.link))


@pytest.mark.parametrize(
    "how", sorted({"unmounted-ntfs", "luks", "exported-pool", "destroyed-pool", "unknown"})
)
def test_what_nobody_holds_can_be_wiped(host: SimulatedHost, how: Occupation) -> None:
    disk = _data(host)[0]
    host.occupy(disk.id, how)
    partitions = () if how == "luks" else (1,)
    host.run(WipeSignatures(disk=disk.link, partitions=partitions))
    assert _data(host)[0].free
    assert _data(host)[0].partitions == ()


def test_every_way_to_occupy_a_disk_is_tried_here() -> None:
    assert len(OCCUPATIONS) == 12


def test_the_next_command_can_be_made_to_fail_and_only_that(host: SimulatedHost) -> None:
    disk = _data(host)[0]
    host.fail_next(WritePartition, stderr="Error is 28\n", exit_status=4)
    with pytest.raises(CommandFailed) as failure:
        host.run(WritePartition(disk=disk.link, size_mib=1024))
    assert failure.value.result == Result(exit=4, stderr="Error is 28\n")
    assert _data(host)[0].partitions == ()
    host.run(WritePartition(disk=disk.link, size_mib=1024))
    assert len(_data(host)[0].partitions) == 1


def test_a_read_can_be_made_to_fail(host: SimulatedHost) -> None:
    host.fail_next(ZpoolStatus, stderr="internal error\n")
    with pytest.raises(CommandFailed, match="internal error"):
        host.run(ZpoolStatus())
    assert host.run(ZpoolStatus()).exit == 0


def test_what_ran_is_remembered_in_order(host: SimulatedHost) -> None:
    disk = _data(host)[0]
    host.run(WritePartition(disk=disk.link, size_mib=1024))
    host.run(UdevSettle())
    assert [argv[0] for argv in host.ran()] == ["udevadm", "udevadm"]
    assert host.ran()[0][3:5] == ["sgdisk", "--clear"]


def test_a_delay_holds_a_command_back_and_nobody_else(
    tmp_path: Path,
) -> None:
    seen: list[tuple[float, int]] = []
    other = SimulatedHost(tmp_path / "machine.json")
    host = SimulatedHost(
        tmp_path / "machine.json",
        pause=lambda seconds: seen.append((seconds, len(_data(other)[0].partitions))),
    )
    write = WritePartition(disk=_data(host)[0].link, size_mib=1024)
    host.delay(WritePartition, 2.0)
    host.run(write)
    assert seen == [(2.0, 0)]  # while it waits, others can read, and nothing has changed yet
    host.delay(WritePartition, 0)
    host.run(write)
    assert len(seen) == 1


def test_every_process_sees_the_same_machine(tmp_path: Path) -> None:
    one, two = (SimulatedHost(tmp_path / "machine.json", "home") for _ in range(2))
    _tank(one, "mirror", 2)
    assert probe(two).pool("tank") is not None
    two.run(ZpoolDestroy(name="tank"))
    assert probe(one).pool("tank") is None


def test_writers_at_the_same_time_do_not_lose_each_others_work(host: SimulatedHost) -> None:
    _tank(host, "mirror", 2)
    names = [f"tank/fs{number}" for number in range(12)]
    threads = [threading.Thread(target=host.run, args=(ZfsCreate(name=name),)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(dataset.name for dataset in probe(host).below("tank")) == sorted(names)


def test_an_unknown_command_is_refused(host: SimulatedHost) -> None:
    class Reboot(Command, frozen=True, kw_only=True):
        def argv(self) -> tuple[str, ...]:
            return ("reboot",)

    with pytest.raises(HostError, match="would refuse Reboot"):
        host.run(Reboot())
    assert host.ran() == []


def test_data_that_only_a_snapshot_has_is_counted_there(host: SimulatedHost) -> None:
    _tank(host, "mirror", 2)
    host.run(ZfsCreate(name="tank/media"))
    host.write("tank/media", 50 << 20)
    host.run(ZfsSnapshot(names=("tank/media@before",)))
    host.erase("tank/media")
    (snapshot,) = list_snapshots(host, "tank/media")
    assert snapshot.used_bytes == 50 << 20
    media = probe(host).dataset("tank/media")
    assert media is not None
    assert media.number("usedbysnapshots") == 50 << 20
    assert media.number("used") - media.number("referenced") == 50 << 20


def test_a_clone_is_listed_by_its_snapshot_and_holds_it(host: SimulatedHost) -> None:
    _tank(host, "mirror", 2)
    host.run(ZfsCreate(name="tank/media"))
    host.run(ZfsSnapshot(names=("tank/media@one",)))
    host.clone("tank/media@one", "tank/copy")
    assert list_snapshots(host, "tank/media")[0].clones == ("tank/copy",)
    copy = probe(host).dataset("tank/copy")
    assert copy is not None
    assert copy.value("origin") == "tank/media@one"
    with pytest.raises(CommandFailed, match="dependent clones"):
        host.run(ZfsDestroy(name="tank/media", recursive=True))


def test_a_person_can_pull_and_insert_a_disk(
    tmp_path: Path, host: SimulatedHost, capsys: pytest.CaptureFixture[str]
) -> None:
    state = str(tmp_path / "machine.json")
    disks = _tank(host, "mirror", 2)
    assert main(["pull", "--state", state, disks[0].id]) == 0
    assert _states(host)[0] == "DEGRADED"
    assert main(["disks", "--state", state]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert lines[0].startswith("pulled")
    assert main(["insert", "--state", state, disks[0].serial or ""]) == 0
    assert main(["occupy", "--state", state, disks[4].id, "swap"]) == 0
    assert _states(host)[0] == "ONLINE"


def test_a_person_who_names_no_disk_gets_an_error(
    tmp_path: Path, host: SimulatedHost, capsys: pytest.CaptureFixture[str]
) -> None:
    host.run(UdevSettle())
    with pytest.raises(SystemExit):
        main(["pull", "--state", str(tmp_path / "machine.json"), "sdz"])
    assert "No disk sdz is in the machine." in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["disks", "--state", str(tmp_path / "nothing.json")])


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("plain-crypt", "held by encrypted mapping secret0 until it is closed (cryptsetup close)"),
        ("multipath", "held by multipath map mpath0 until it is flushed (multipath -f)"),
        ("loop", "held by loop device loop0 until it is detached (losetup --detach)"),
    ],
)
def test_what_the_kernel_holds_is_named_refused_and_let_go(
    host: SimulatedHost, how: Occupation, words: str
) -> None:
    disk = _data(host)[0]
    host.occupy(disk.id, how)
    assert _data(host)[0].used_by == words
    for command in (
        WritePartition(disk=disk.link, size_mib=1024),
        StartBurnIn(disk=disk.link, serial=disk.serial or ""),
    ):
        with pytest.raises(CommandFailed) as refused:
            host.run(command)
        assert refused.value.result == Result(
            exit=1, stderr=f"{disk.link}: Device or resource busy: {words}. Nothing was written.\n"
        )
    host.occupy(disk.id, None)
    assert _data(host)[0].free
    host.run(WritePartition(disk=disk.link, size_mib=1024))

"""Disks that fail, are stood in for, replaced and found to lie, on a simulated pool with data in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import CommandFailed
from host.commands.disks.partition import WritePartition
from host.commands.pools.care import ZpoolClear, ZpoolScrub
from host.commands.pools.members import ZpoolDetach, ZpoolOffline, ZpoolOnline, ZpoolReplace
from host.inventory import leaves
from host.probe.cache import ProbeCache
from host.probe.whole import probe
from tests.host.pool_bench import GIB, LONG_S, PoolBench


@pytest.fixture
def bench(tmp_path: Path) -> PoolBench:
    return PoolBench(tmp_path)


def test_a_spare_resilvers_in_a_new_disk_takes_over_and_the_spare_is_free_again(bench: PoolBench) -> None:
    bench.create(("data", "raidz1", 3), ("spare", "stripe", 1))
    bench.host.pull(bench.disks[1].id)
    pool = bench.pool()
    assert (pool.state, bench.states()) == ("DEGRADED", ["ONLINE", "REMOVED", "ONLINE", "ONLINE"])
    assert pool.scan is not None
    assert (pool.scan.function, pool.scan.state, pool.scan.finished) == ("RESILVER", "SCANNING", None)
    assert (pool.status or "").startswith("One or more devices is currently being resilvered.")
    assert pool.vdevs[1].state == "INUSE"
    bench.host.pass_time(LONG_S)
    pool = bench.pool()
    assert (pool.state, pool.scan.state if pool.scan else None) == ("DEGRADED", "FINISHED")
    gone = next(leaf for leaf in bench.data() if leaf.state == "REMOVED")
    bench.host.run(ZpoolReplace(name="tank", vdev=gone.guid, device=bench.parts[4]))
    assert len(bench.data()) == 5
    bench.host.pass_time(LONG_S)
    pool = bench.pool()
    assert (pool.health, pool.vdevs[1].state, bench.paths()) == ("healthy", "AVAIL", [0, 4, 2])


def test_a_disk_that_comes_back_catches_up_before_its_spare_leaves(bench: PoolBench) -> None:
    bench.create(("data", "raidz1", 3), ("spare", "stripe", 1))
    bench.host.pull(bench.disks[0].id)
    bench.host.pass_time(LONG_S)
    bench.host.insert(bench.disks[0].id)
    assert (bench.states(), bench.pool().vdevs[1].state) == (["ONLINE"] * 4, "INUSE")
    bench.host.pass_time(LONG_S)
    assert (bench.paths(), bench.pool().vdevs[1].state) == ([0, 1, 2], "AVAIL")
    assert bench.pool().health == "healthy"


def test_a_resilver_goes_by_the_clock(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    old = bench.data()[0]
    bench.host.run(ZpoolReplace(name="tank", vdev=old.guid, device=bench.parts[2]))
    node = bench.pool().vdevs[0].children[0]
    assert (node.kind, node.state, [leaf.state for leaf in leaves(node)]) == (
        "replacing", "ONLINE", ["ONLINE", "ONLINE"],
    )  # fmt: skip
    bench.host.pass_time(600)
    scan = bench.pool().scan
    assert scan is not None
    assert scan.percent is not None
    assert 40 < scan.percent < 60
    assert scan.issued_bytes == pytest.approx(600 * 3 * 150e6, rel=0.1)
    with pytest.raises(CommandFailed, match="cannot scrub tank: currently resilvering"):
        bench.host.run(ZpoolScrub(name="tank"))
    bench.host.pass_time(LONG_S)
    assert bench.paths() == [2, 1]
    assert bench.left() == [0]
    assert (bench.pool().scan or scan).state == "FINISHED"


def test_a_replacement_can_be_called_off(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    bench.host.run(ZpoolReplace(name="tank", vdev=bench.data()[0].guid, device=bench.parts[2]))
    new = bench.data()[1]
    bench.host.run(ZpoolDetach(name="tank", vdev=new.guid))
    assert (bench.paths(), bench.pool().state) == ([0, 1], "ONLINE")
    assert bench.left() == [2]


def test_the_only_good_copy_cannot_leave_while_the_other_resilvers(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    old, other = bench.data()
    bench.host.run(ZpoolOffline(name="tank", vdev=old.guid))
    bench.host.run(ZpoolOnline(name="tank", vdev=old.guid))
    for command in (ZpoolOffline(name="tank", vdev=other.guid), ZpoolDetach(name="tank", vdev=other.guid)):
        with pytest.raises(CommandFailed, match="no valid replicas"):
            bench.host.run(command)
    bench.host.pass_time(LONG_S)
    bench.host.run(ZpoolOffline(name="tank", vdev=other.guid))
    assert bench.states() == ["ONLINE", "OFFLINE"]


def test_a_failed_disk_is_faulted_until_it_is_cleared(bench: PoolBench) -> None:
    bench.create(("data", "raidz2", 4))
    bench.host.fail(bench.disks[3].id)
    pool = bench.pool()
    leaf = bench.data()[3]
    assert (pool.state, leaf.state, leaf.aux, leaf.read_errors > 0) == (
        "DEGRADED",
        "FAULTED",
        "ERR_EXCEEDED",
        True,
    )
    assert "faulted in response to persistent errors" in (pool.status or "")
    bench.host.run(ZpoolClear(name="tank", vdev=leaf.guid))
    bench.host.pass_time(LONG_S)
    assert (bench.pool().health, bench.data()[3].read_errors) == ("healthy", 0)


def test_two_losses_are_survived_the_third_suspends_and_clearing_mends(bench: PoolBench) -> None:
    bench.create(("data", "raidz2", 6))
    for index in (0, 2):
        bench.host.pull(bench.disks[index].id)
    assert bench.pool().state == "DEGRADED"
    bench.host.pull(bench.disks[4].id)
    pool = bench.pool()
    assert (pool.state, pool.suspended, pool.message_id) == ("SUSPENDED", True, "ZFS-8000-HC")
    with pytest.raises(CommandFailed, match="I/O error"):
        bench.host.run(ZpoolClear(name="tank"))
    for command in (ZpoolScrub(name="tank"), ZpoolOnline(name="tank", vdev=pool.vdevs[0].children[0].guid)):
        with pytest.raises(CommandFailed, match="pool I/O is currently suspended"):
            bench.host.run(command)
    for index in (0, 2, 4):
        bench.host.insert(bench.disks[index].id)
    assert bench.pool().state == "SUSPENDED"
    bench.host.run(ZpoolClear(name="tank"))
    bench.host.pass_time(LONG_S)
    assert (bench.pool().health, bench.states()) == ("healthy", ["ONLINE"] * 6)


def test_silent_corruption_is_found_by_a_scrub_that_can_pause(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    bench.host.corrupt(bench.disks[1].id, 1 << 20)
    assert bench.pool().health == "healthy"
    bench.host.run(ZpoolScrub(name="tank"))
    with pytest.raises(CommandFailed, match="currently scrubbing; use 'zpool scrub -s' to cancel scrub"):
        bench.host.run(ZpoolScrub(name="tank"))
    bench.host.pass_time(600)
    bench.host.run(ZpoolScrub(name="tank", action="pause"))
    paused = bench.pool().scan
    assert paused is not None
    assert paused.paused is not None
    with pytest.raises(CommandFailed, match="scrub is paused; use 'zpool scrub' to resume scrub"):
        bench.host.run(ZpoolScrub(name="tank", action="pause"))
    bench.host.pass_time(LONG_S)
    still = bench.pool().scan
    assert still is not None
    assert (still.state, still.issued_bytes) == ("SCANNING", paused.issued_bytes)
    bench.host.run(ZpoolScrub(name="tank"))
    bench.host.pass_time(LONG_S)
    pool = bench.pool()
    assert pool.scan is not None
    assert (pool.scan.state, pool.scan.repaired_bytes, pool.scan.errors) == ("FINISHED", 1 << 20, 0)
    assert pool.scan.paused_s >= LONG_S - 1
    assert [leaf.checksum_errors for leaf in bench.data()] == [0, 8]
    assert (pool.health, pool.message_id) == ("degraded", "ZFS-8000-9P")


def test_a_scrub_that_is_stopped_says_when(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    bench.host.run(ZpoolScrub(name="tank"))
    bench.host.run(ZpoolScrub(name="tank", action="stop"))
    scan = bench.pool().scan
    assert scan is not None
    assert (scan.state, scan.finished is not None, scan.percent) == ("CANCELED", True, None)


def test_damaged_files_are_named(bench: PoolBench) -> None:
    bench.create(("data", "stripe", 2))
    bench.host.damage("tank", "tank/media:/films/one.mkv", "tank/media:<0x2>")
    pool = bench.pool()
    assert (pool.data_errors, pool.damaged_files) == (2, ("tank/media:/films/one.mkv", "tank/media:<0x2>"))
    assert pool.message_id == "ZFS-8000-8A"
    bench.host.run(ZpoolClear(name="tank"))
    assert (bench.pool().data_errors, bench.pool().damaged_files) == (0, ())


def test_as_many_damaged_files_as_before_they_were_mended_are_others(bench: PoolBench) -> None:
    cache = ProbeCache()
    bench.create(("data", "stripe", 2))
    named = []
    for file in ("tank/media:/a", "tank/media:/b"):
        bench.host.damage("tank", file)
        named.append(probe(bench.host, cache=cache).pools[0].damaged_files)
        bench.host.run(ZpoolClear(name="tank"))
        probe(bench.host, cache=cache)
    assert named == [("tank/media:/a",), ("tank/media:/b",)]


def test_a_target_a_little_smaller_fits_while_it_has_room_for_the_metaslabs(bench: PoolBench) -> None:
    before = bench.create(("data", "mirror", 2), data=GIB)
    bench.host.run(WritePartition(disk=bench.disks[2].link, size_mib=2_859_539 - 1024))
    bench.host.run(ZpoolReplace(name="tank", vdev=bench.data()[0].guid, device=bench.parts[2]))
    bench.host.pass_time(LONG_S)
    assert bench.paths() == [2, 1]
    assert bench.pool().size_bytes == before.size_bytes
    assert bench.pool().vdevs[0].expandable_bytes == 0


def test_a_target_too_small_is_refused_word_for_word(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2), data=GIB)
    bench.host.run(WritePartition(disk=bench.disks[2].link, size_mib=50 << 10))
    guid = bench.data()[0].guid
    with pytest.raises(CommandFailed) as failure:
        bench.host.run(ZpoolReplace(name="tank", vdev=guid, device=bench.parts[2]))
    said = failure.value.result
    assert (said.exit, said.stderr) == (
        255, f"cannot replace {guid} with {bench.parts[2]}: device is too small\n",
    )  # fmt: skip


def test_a_device_that_is_not_there_comes_online_only_in_words(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    leaf = bench.data()[0]
    bench.host.pull(bench.disks[0].id)
    said = bench.host.run(ZpoolOnline(name="tank", vdev=leaf.guid))
    assert "onlined, but remains in faulted state" in said.stdout
    assert bench.states() == ["REMOVED", "ONLINE"]

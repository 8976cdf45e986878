"""Pools that grow, shrink and travel, on a simulated machine with data in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import CommandFailed
from host.commands.disks.partition import WritePartition
from host.commands.pools.care import ZpoolCheckpoint, ZpoolInitialize, ZpoolScrub
from host.commands.pools.importing import ZpoolExport, ZpoolImport
from host.commands.pools.members import (
    ZpoolAdd,
    ZpoolAttach,
    ZpoolCancelRemoval,
    ZpoolOnline,
    ZpoolRemove,
    ZpoolReplace,
)
from host.commands.pools.zpool import VdevSpec
from host.inventory import Filling
from host.probe.pools.importable import read_import_loss, read_importable
from host.probe.pools.iostat import read_iostat
from host.probe.whole import probe
from tests.host.pool_bench import GIB, LONG_S, PoolBench


@pytest.fixture
def bench(tmp_path: Path) -> PoolBench:
    return PoolBench(tmp_path)


def _offered(bench: PoolBench) -> int:
    root = probe(bench.host).dataset("tank")
    assert root is not None
    return root.number("available") + root.number("used")


def test_an_expanded_raidz_grows_at_the_end_and_counts_as_it_did_before(bench: PoolBench) -> None:
    before = bench.create(("data", "raidz1", 3))
    offered = _offered(bench)
    raidz = before.vdevs[0]
    bench.host.run(ZpoolAttach(name="tank", vdev=raidz.guid, device=bench.parts[3]))
    with pytest.raises(CommandFailed, match="raidz expansion in progress"):
        bench.host.run(ZpoolAttach(name="tank", vdev=raidz.guid, device=bench.parts[4]))
    bench.host.pass_time(300)
    pool = bench.pool()
    assert pool.expansion is not None
    assert (pool.expansion.state, pool.size_bytes, bench.paths()) == (
        "SCANNING",
        before.size_bytes,
        [0, 1, 2, 3],
    )
    assert 0 < pool.expansion.copied_bytes < pool.expansion.total_bytes
    bench.host.pass_time(LONG_S)
    pool = bench.pool()
    assert pool.expansion is not None
    assert (pool.expansion.state, pool.features["raidz_expansion"]) == ("FINISHED", "active")
    assert pool.size_bytes == pytest.approx(before.size_bytes * 4 / 3, rel=0.01)
    # Two thirds of the new disk, not all but the parity of four.
    assert _offered(bench) == pytest.approx(offered * 4 / 3, rel=0.01)


def test_a_mirror_is_evacuated_over_time_unless_it_is_cancelled(bench: PoolBench) -> None:
    first, second = bench.create(("data", "mirror", 2), ("data", "mirror", 2), data=1000 * GIB).vdevs
    bench.host.run(ZpoolRemove(name="tank", vdev=first.guid))
    pool = bench.pool()
    assert pool.removal is not None
    assert (pool.removal.state, pool.removal.vdev, pool.vdevs[0].removing) == ("SCANNING", "mirror-0", True)
    with pytest.raises(CommandFailed, match="removal for this vdev is already in progress"):
        bench.host.run(ZpoolRemove(name="tank", vdev=first.guid))
    bench.host.run(ZpoolCancelRemoval(name="tank"))
    assert (bench.pool().removal or pool.removal).state == "CANCELED"
    assert len(bench.pool().vdevs) == 2
    bench.host.run(ZpoolRemove(name="tank", vdev=first.guid))
    bench.host.pass_time(LONG_S)
    assert [(vdev.name, vdev.guid) for vdev in bench.pool().vdevs] == [("mirror-1", second.guid)]
    assert bench.left() == [0, 1]
    raidz = VdevSpec(role="data", layout="raidz1", devices=tuple(bench.parts[:2]))
    with pytest.raises(CommandFailed, match="does not support adding raidz or dRAID"):
        bench.host.run(ZpoolAdd(name="tank", vdevs=(raidz,), force=True))


def test_what_does_not_fit_elsewhere_is_not_removed(bench: PoolBench) -> None:
    first, _ = bench.create(("data", "stripe", 2), data=3000 * GIB).vdevs
    with pytest.raises(CommandFailed, match="out of space"):
        bench.host.run(ZpoolRemove(name="tank", vdev=first.guid))


@pytest.mark.parametrize("autoexpand", ["on", "off"])
def test_larger_disks_one_at_a_time_make_a_larger_pool(bench: PoolBench, autoexpand: str) -> None:
    for index in (0, 1):
        bench.host.run(WritePartition(disk=bench.disks[index].link, size_mib=1 << 20))
    before = bench.create(("data", "mirror", 2), autoexpand=autoexpand)
    for index in (0, 1):
        assert bench.pool().size_bytes == before.size_bytes
        guid = bench.data()[index].guid
        bench.host.run(ZpoolReplace(name="tank", vdev=guid, device=bench.parts[2 + index]))
        bench.host.pass_time(LONG_S)
    pool = bench.pool()
    assert (pool.health, bench.paths()) == ("healthy", [2, 3])
    if autoexpand == "off":
        assert pool.size_bytes == before.size_bytes
        assert int(pool.properties["expandsize"]) > before.size_bytes
        assert pool.vdevs[0].expandable_bytes == int(pool.properties["expandsize"])
        for leaf in bench.data():
            bench.host.run(ZpoolOnline(name="tank", vdev=leaf.guid, expand=True))
        pool = bench.pool()
    assert pool.size_bytes > 2.5 * before.size_bytes
    assert pool.properties["expandsize"] == "-"


def test_links_that_vanish_take_the_pool_and_an_import_by_the_others_brings_it_back(bench: PoolBench) -> None:
    bench.create(("data", "raidz1", 3))
    guid = bench.pool().guid
    bench.host.lose_links("ata-")
    assert bench.pool().state == "SUSPENDED"
    leaf = bench.data()[0]
    assert (leaf.state, leaf.name, leaf.note) == ("UNAVAIL", leaf.guid, f"was {bench.parts[0]}")
    bench.host.move_away("tank")
    (found,) = read_importable(bench.host)
    assert found.state == "ONLINE"
    bench.host.run(ZpoolImport(guid=guid))
    bench.host.pass_time(LONG_S)
    pool = bench.pool()
    assert pool.health == "healthy"
    assert all((leaf.path or "").startswith("/dev/disk/by-id/wwn-") for leaf in bench.data())
    assert {disk.used_by for disk in probe(bench.host).disks if disk.id.startswith("wwn-")} >= {
        "member of pool tank"
    }


def test_a_pool_of_another_machine_is_taken_only_by_force(bench: PoolBench) -> None:
    guid = bench.create(("data", "mirror", 2)).guid
    bench.host.move_away("tank", host="attic")
    (found,) = read_importable(bench.host)
    assert found.last_used_elsewhere
    assert found.action == "The pool can be imported using its name or numeric identifier and the '-f' flag."
    with pytest.raises(
        CommandFailed, match=r"previously in use from another system\.\nLast accessed by attic"
    ):
        bench.host.run(ZpoolImport(guid=guid))
    bench.host.run(ZpoolImport(guid=guid, force=True))
    assert bench.pool().health == "healthy"


def test_a_torn_pool_says_what_a_rewind_would_cost_and_then_pays(bench: PoolBench) -> None:
    guid = bench.create(("data", "mirror", 2)).guid
    bench.host.move_away("tank", torn_s=300)
    loss = read_import_loss(bench.host, guid)
    assert (loss.needed, loss.seconds, loss.refused) == (True, 300, None)
    assert loss.back_to is not None
    with pytest.raises(CommandFailed, match="Approximately 5 minutes of data"):
        bench.host.run(ZpoolImport(guid=guid))
    said = bench.host.run(ZpoolImport(guid=guid, rewind=True)).stdout
    assert "Discarded approximately 5 minutes of transactions." in said
    assert bench.pool().health == "healthy"


def test_a_checkpoint_is_returned_to(bench: PoolBench) -> None:
    guid = bench.create(("data", "mirror", 2), data=GIB).guid
    bench.host.run(ZpoolCheckpoint(name="tank"))
    bench.host.write("tank/media", 100 * GIB)
    bench.host.run(ZpoolExport(name="tank"))
    bench.host.run(ZpoolImport(guid=guid, to_checkpoint=True))
    media = probe(bench.host).dataset("tank/media")
    assert media is not None
    assert media.number("used") < 2 * GIB
    assert bench.pool().checkpoint is None


def test_disks_taken_for_something_else_take_the_exported_pool_with_them(bench: PoolBench) -> None:
    bench.create(("data", "raidz1", 3))
    bench.host.run(ZpoolExport(name="tank"))
    assert [disk.used_by for disk in probe(bench.host).disks[:3]] == ["exported pool tank"] * 3
    bench.host.occupy(bench.disks[0].id, "unmounted-ntfs")
    (found,) = read_importable(bench.host)
    assert (found.state, found.message_id) == ("DEGRADED", "ZFS-8000-2Q")
    bench.host.occupy(bench.disks[1].id, "unmounted-ntfs")
    (found,) = read_importable(bench.host)
    assert (found.state, found.message_id) == ("UNAVAIL", "ZFS-8000-3C")
    with pytest.raises(CommandFailed, match="one or more devices is currently unavailable"):
        bench.host.run(ZpoolImport(guid=found.guid))
    bench.host.occupy(bench.disks[2].id, "unmounted-ntfs")
    assert read_importable(bench.host) == ()


def test_an_initialization_goes_by_the_clock(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    bench.host.run(ZpoolInitialize(name="tank"))
    bench.host.pass_time(600)
    first = bench.data()[0].initialize
    assert isinstance(first, Filling)
    assert first.state == "ACTIVE"
    assert 0 < first.done_bytes < first.total_bytes
    with pytest.raises(CommandFailed, match="currently initializing"):
        bench.host.run(ZpoolInitialize(name="tank"))
    bench.host.pass_time(LONG_S)
    last = bench.data()[0].initialize
    assert last is not None
    assert (last.state, last.done_bytes) == ("COMPLETE", last.total_bytes)


def test_what_a_scrub_reads_is_seen_live(bench: PoolBench) -> None:
    bench.create(("data", "mirror", 2))
    assert read_iostat(bench.host, "tank")[0].read_bytes_per_s == 0
    bench.host.run(ZpoolScrub(name="tank"))
    whole, mirror, one, _ = read_iostat(bench.host, "tank")
    assert whole.read_bytes_per_s == mirror.read_bytes_per_s == 2 * one.read_bytes_per_s > 0
    assert (one.disk_read_ns is not None, one.write_ns) == (True, None)

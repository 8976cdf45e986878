"""What can still be read of a suspended pool."""

from __future__ import annotations

from pathlib import Path

from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.pools.care import ZpoolClear
from host.inventory import leaves
from host.probe.cache import ProbeCache
from host.probe.pools.pools import parse_zpool_status
from host.probe.whole import probe
from host.simulated import SimulatedHost
from tests.host.pool_bench import PoolBench


def _pull(host: SimulatedHost, bench: PoolBench, *indexes: int) -> None:
    for index in indexes:
        host.pull(bench.disks[index].id)


def test_its_datasets_are_kept_as_they_were(tmp_path: Path) -> None:
    bench, cache = PoolBench(tmp_path), ProbeCache()
    bench.create(("data", "raidz1", 3))
    bench.host.run(ZfsSnapshot(names=("tank/media@before",)))
    before = probe(bench.host, cache=cache)
    _pull(bench.host, bench, 0, 1)
    while_it_stands = probe(bench.host, cache=cache)
    assert while_it_stands.pools[0].suspended
    assert while_it_stands.datasets == before.datasets
    assert probe(bench.host).datasets == ()  # nobody who comes anew can know them
    for index in (0, 1):
        bench.host.insert(bench.disks[index].id)
    bench.host.run(ZpoolClear(name="tank"))
    assert [one.name for one in probe(bench.host, cache=cache).datasets] == ["tank", "tank/media"]


def test_the_last_disk_to_leave_is_still_called_online_but_no_disk_is_behind_it(tmp_path: Path) -> None:
    bench = PoolBench(tmp_path)
    bench.create(("data", "raidz1", 3))
    _pull(bench.host, bench, 0, 1)
    pool = bench.pool()
    found = [(leaf.state, leaf.disk is None) for vdev in pool.vdevs for leaf in leaves(vdev)]
    assert found == [("REMOVED", True), ("ONLINE", True), ("ONLINE", False)]


def test_a_text_in_place_of_the_damaged_files_is_none() -> None:
    answer = (
        '{"output_version": {"vers_major": 0, "vers_minor": 1}, "pools": {"t": {"name": "t", '
        '"state": "SUSPENDED", "pool_guid": 1, "vdevs": {}, "error_count": 133, '
        '"errlist": "Resource temporarily unavailable"}}}'
    )
    (pool,) = parse_zpool_status(answer, {})
    assert (pool.data_errors, pool.damaged_files) == (133, ())


def test_damaged_files_are_asked_for_once_it_stands_no_more(tmp_path: Path) -> None:
    bench, cache = PoolBench(tmp_path), ProbeCache()
    bench.create(("data", "raidz1", 3))
    bench.host.damage("tank", "tank/media:/a")
    _pull(bench.host, bench, 0, 1)
    (pool,) = probe(bench.host, cache=cache).pools
    assert (pool.suspended, pool.damaged_files) == (True, ())
    for index in (0, 1):
        bench.host.insert(bench.disks[index].id)
    bench.host.run(ZpoolClear(name="tank"))
    bench.host.damage("tank", "tank/media:/a")
    (pool,) = probe(bench.host, cache=cache).pools
    assert (pool.suspended, pool.damaged_files) == (False, ("tank/media:/a",))


def test_damaged_files_that_are_known_stay_named(tmp_path: Path) -> None:
    bench, cache = PoolBench(tmp_path), ProbeCache()
    bench.create(("data", "raidz1", 3))
    bench.host.damage("tank", "tank/media:/a")
    probe(bench.host, cache=cache)
    _pull(bench.host, bench, 0, 1)
    (pool,) = probe(bench.host, cache=cache).pools
    assert (pool.suspended, pool.damaged_files) == (True, ("tank/media:/a",))

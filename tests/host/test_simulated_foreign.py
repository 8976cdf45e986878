"""A pool that was prepared elsewhere, on a simulated machine: as `host.programs.mount_pools` treats it."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import CommandFailed
from host.commands.datasets.zfs import ZfsCreate, ZfsMount
from host.commands.pools.importing import ZpoolExport, ZpoolImport
from host.commands.pools.mount import MountPool
from host.pool_mounts import ASKED
from host.probe.pools.importable import scan_for_pools
from host.probe.whole import probe
from tests.host.pool_bench import PoolBench

WAY_ON = "Set its mountpoint to a folder below /mnt."


@pytest.fixture
def bench(tmp_path: Path) -> PoolBench:
    found = PoolBench(tmp_path)
    found.create(("data", "mirror", 2))
    for name in ("root", "link", "link/in"):
        found.host.run(ZfsCreate(name=f"tank/{name}"))
    found.host.link_file("tank", b"b", b"/etc")
    found.host.run(ZpoolExport(name="tank"))
    found.host.prepare_elsewhere(
        "tank",
        {
            "tank": {"mountpoint": "/mnt/a", "setuid": "on", "sharenfs": "on"},
            "tank/root": {"mountpoint": "/etc/sudoers.d"},
            "tank/link": {"mountpoint": "/mnt/a/b/sudoers.d"},
        },
    )
    return found


def places(bench: PoolBench) -> dict[str, str | None]:
    return {one.name: one.value("mountpoint") for one in probe(bench.host).datasets if one.mounted}


def test_its_label_says_that_it_is_another_machines(bench: PoolBench) -> None:
    (found,) = scan_for_pools(bench.host).pools
    assert (found.foreign, found.last_used_elsewhere) == (True, False)
    bench.host.run(ZpoolImport(guid=found.guid))
    bench.host.run(ZpoolExport(name="tank"))
    (found,) = scan_for_pools(bench.host).pools
    assert not found.foreign


def test_only_what_passes_is_mounted_and_the_rest_does_not_come_back(bench: PoolBench) -> None:
    (found,) = scan_for_pools(bench.host).pools
    bench.host.run(ZpoolImport(guid=found.guid))
    assert places(bench) == {}
    said = bench.host.run(MountPool(name="tank", foreign=True)).stdout.splitlines()
    assert said == [
        "tank: devices=off setuid=off sharenfs=off",
        f"tank/root: mountpoint=none {ASKED}=/etc/sudoers.d",
        "tank is mounted at /mnt/a.",
        f"tank/link stays unmounted: /mnt/a/b/sudoers.d leads to /etc/sudoers.d. {WAY_ON}",
        f"tank/link/in stays unmounted: /mnt/a/b/sudoers.d/in leads to /etc/sudoers.d/in. {WAY_ON}",
        "tank/media is mounted at /mnt/a/media.",
    ]  # fmt: skip
    assert places(bench) == {"tank": "/mnt/a", "tank/media": "/mnt/a/media"}
    bench.host.run(ZpoolExport(name="tank"))
    bench.host.run(ZpoolImport(guid=found.guid))
    bench.host.run(MountPool(name="tank"))
    assert places(bench) == {"tank": "/mnt/a", "tank/media": "/mnt/a/media"}


def test_read_only_it_stays_another_machines_and_keeps_what_it_asks_for(bench: PoolBench) -> None:
    (found,) = scan_for_pools(bench.host).pools
    bench.host.run(ZpoolImport(guid=found.guid, readonly=True))
    bench.host.run(MountPool(name="tank", foreign=True, readonly=True))
    assert places(bench) == {"tank": "/mnt/a", "tank/media": "/mnt/a/media"}
    root = probe(bench.host).dataset("tank/root")
    assert root is not None
    assert (root.value("mountpoint"), root.value(ASKED)) == ("/etc/sudoers.d", None)
    bench.host.run(ZpoolExport(name="tank"))
    (found,) = scan_for_pools(bench.host).pools
    assert found.foreign


def test_the_helper_mounts_nothing_over_the_system_whoever_asks(bench: PoolBench) -> None:
    (found,) = scan_for_pools(bench.host).pools
    bench.host.run(ZpoolImport(guid=found.guid))
    with pytest.raises(CommandFailed, match="belongs to the system"):
        bench.host.run(ZfsMount(name="tank/root"))
    assert places(bench) == {}
    bench.host.run(ZfsMount(name="tank"))
    assert places(bench) == {"tank": "/mnt/a"}


def test_below_a_folder_everything_may_be_mounted(bench: PoolBench) -> None:
    (found,) = scan_for_pools(bench.host).pools
    bench.host.run(ZpoolImport(guid=found.guid, altroot="/mnt/look"))
    bench.host.run(MountPool(name="tank", foreign=True))
    assert places(bench)["tank/root"] == "/mnt/look/etc/sudoers.d"

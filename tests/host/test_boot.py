"""What the next start of the machine will find."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.commands.datasets.zfs import ZfsCreate, ZfsMount, ZfsSet, ZfsUnmount
from host.commands.pools.care import ZpoolSet
from host.commands.pools.importing import ZpoolExport
from host.inventory import BootImport
from host.probe.cache import ProbeCache
from host.probe.facts import parse_boot_time, parse_memory_modules
from host.probe.system.boot import (
    parse_active,
    parse_boot_menu,
    parse_cached_pools,
    parse_import_units,
    parse_installed_kernels,
)
from host.probe.whole import probe
from host.simulated import SimulatedHost
from tests.host.pool_bench import PoolBench

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts" / "boot"
QEMU = (TRANSCRIPTS / "dmidecode-qemu.txt").read_text()


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "home")


def test_kernels_come_newest_first_and_each_with_its_module() -> None:
    kernels = parse_installed_kernels(
        "/boot/vmlinuz-6.12.9+deb13-amd64\n/boot/vmlinuz-6.12.10+deb13-amd64\n"
        "/boot/vmlinuz-6.1.0-40-amd64\n"
        "/lib/modules/6.12.9+deb13-amd64/updates/dkms/zfs.ko.xz\n"
        "/lib/modules/6.1.0-40-amd64/extra/zfs/zfs.ko\n"
        "/lib/modules/5.10.0-1-amd64/updates/dkms/zfs.ko\n"
    )
    assert [(kernel.version, kernel.zfs_module) for kernel in kernels] == [
        ("6.12.10+deb13-amd64", False), ("6.12.9+deb13-amd64", True), ("6.1.0-40-amd64", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("default", "expected"), [("0", "6.12.10+deb13-amd64"), ("${next_entry}", None), ("saved", None)]
)
def test_the_first_entry_starts_next_only_if_it_is_the_default(default: str, expected: str | None) -> None:
    menu = (
        f'   set default="{default}"\n\tlinux\t/boot/vmlinuz-6.12.10+deb13-amd64 root=UUID=1 ro\n'
        "\t\tlinux\t/vmlinuz-6.12.9+deb13-amd64 root=UUID=1 ro\n"
    )
    assert parse_boot_menu(menu) == expected


def test_units_of_all_kinds_are_told_apart() -> None:
    said = "Id=a\nUnitFileState=enabled\n\nId=b\nUnitFileState=masked\n\nId=c\nUnitFileState=\n"
    assert parse_import_units(said) == ("enabled", "disabled", "missing")
    running = "Id=a\nActiveState=active\n\nId=b\nActiveState=failed\n"
    assert [parse_active(running, unit) for unit in "abc"] == [True, False, None]
    assert parse_import_units("Id=a\nUnitFileState=generated\n") == ("unknown",)


def test_the_pools_of_the_cache_file_are_those_that_zdb_prints() -> None:
    assert parse_cached_pools((TRANSCRIPTS / "zdb-cache.txt").read_text()) == ("12648504404574751747",)


@pytest.mark.parametrize(
    ("cached", "cache", "scan", "expected"),
    [
        (("7", "8"), "enabled", "disabled", True),
        (("8",), "enabled", "enabled", False),  # the scan runs only where there is no cache file
        ((), "enabled", "enabled", True),
        ((), "enabled", "disabled", False),
        (("7",), "disabled", "disabled", False),
        (None, "enabled", "disabled", None),
        (("7",), "unknown", "disabled", None),
    ],
)
def test_whether_a_pool_comes_back(cached: object, cache: str, scan: str, expected: bool | None) -> None:
    facts = BootImport(from_cache=cache, by_scan=scan, mounting="enabled", cached=cached)  # type: ignore[arg-type]
    assert facts.brings_back("7") is expected


@pytest.mark.parametrize(
    ("kind", "total", "expected"),
    [
        ("Multi-bit ECC", "72 bits", "yes"),
        ("Multi-bit ECC", "80 bits", "yes"),
        ("Multi-bit ECC", "64 bits", "no"),  # the board could, the modules cannot
        ("None", "64 bits", "no"),
        ("None", "Unknown", "no"),
        ("Unknown", "72 bits", "unknown"),
        ("Single-bit ECC", "Unknown", "unknown"),
    ],
)
def test_memory_corrects_only_if_array_and_modules_say_so(kind: str, total: str, expected: str) -> None:
    said = QEMU.replace("Multi-bit ECC", kind).replace("Total Width: Unknown", f"Total Width: {total}")
    assert parse_memory_modules(said.replace("Data Width: Unknown", "Data Width: 64 bits")) == expected


def test_a_virtual_machine_does_not_report_ecc() -> None:
    assert parse_memory_modules(QEMU) == "unknown"


def test_a_kernel_without_a_module_is_seen_before_it_starts(host: SimulatedHost) -> None:
    running = probe(host).facts.kernel
    host.install_kernel("6.12.200+deb13-amd64", module=False)
    facts = probe(host).facts
    assert (facts.kernel, facts.next_kernel) == (running, "6.12.200+deb13-amd64")
    assert [(kernel.version, kernel.zfs_module) for kernel in facts.kernels] == [
        ("6.12.200+deb13-amd64", False), (running, True),
    ]  # fmt: skip


def test_what_will_be_imported_follows_the_cache_file(tmp_path: Path) -> None:
    bench = PoolBench(tmp_path)
    bench.create(("data", "mirror", 2))
    host = bench.host
    memory = ProbeCache()
    found = probe(host, cache=memory)
    assert found.facts.boot_import is not None
    assert found.facts.boot_import.brings_back(found.pools[0].guid) is True
    host.run(ZpoolSet(name="tank", property="cachefile", value="none"))
    found = probe(host, cache=memory)
    assert found.facts.boot_import is not None
    assert found.facts.boot_import.brings_back(found.pools[0].guid) is False


def test_programs_and_module_of_two_versions_are_told_apart(host: SimulatedHost) -> None:
    host.upgrade_zfs("2.3.10-1")
    facts = probe(host).facts
    assert facts.zfs_userland == "zfs-2.3.10-1"
    assert facts.zfs_module == "zfs-kmod-2.3.9-0+deb13u1"


def test_what_a_mount_would_hide_is_seen_while_it_is_not_mounted(tmp_path: Path) -> None:
    bench = PoolBench(tmp_path)
    bench.create(("data", "mirror", 2))
    for name in ("full", "empty", "never"):
        bench.host.run(ZfsCreate(name=f"tank/{name}"))
        bench.host.run(ZfsUnmount(name=f"tank/{name}"))
    bench.host.leave_file("/tank/full")
    bench.host.run(ZfsSet(name="tank/never", properties={"canmount": "off"}))
    folders = {dataset.name: dataset.folder_empty for dataset in probe(bench.host).datasets}
    assert folders == {
        "tank": None, "tank/media": None, "tank/full": False, "tank/empty": True, "tank/never": None,
    }  # fmt: skip
    bench.host.run(ZpoolExport(name="tank"))
    assert probe(bench.host).datasets == ()


def test_a_folder_within_another_file_system_is_read_once(tmp_path: Path) -> None:
    bench, memory = PoolBench(tmp_path), ProbeCache()
    bench.create(("data", "mirror", 2))
    bench.host.run(ZfsUnmount(name="tank/media"))
    assert [one.folder_empty for one in probe(bench.host, cache=memory).datasets] == [None, True]
    bench.host.leave_file("/tank/media")
    assert [one.folder_empty for one in probe(bench.host, cache=memory).datasets] == [None, True]
    bench.host.run(ZfsMount(name="tank/media"))
    assert [one.folder_empty for one in probe(bench.host, cache=memory).datasets] == [None, None]
    bench.host.run(ZfsUnmount(name="tank/media"))
    assert [one.folder_empty for one in probe(bench.host, cache=memory).datasets] == [None, False]


def test_the_time_of_the_start_is_the_same_at_each_reading() -> None:
    assert parse_boot_time("cpu  1 2 3\nctxt 99\nbtime 1795349296\nprocesses 7\n") == 1_795_349_296

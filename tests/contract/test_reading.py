"""What can be read from a machine before anything is done to it."""

from __future__ import annotations

import re

import pytest

from host.base import Host
from host.commands.datasets.zfs import ZfsGet, ZfsVersion
from host.commands.disks.labels import ZdbLabel
from host.commands.disks.partition import UdevSettle
from host.commands.facts import EccControllers, FolderHolds, MemoryModules, ReadFact
from host.commands.system.boot import IMPORT_UNITS, ZED_UNIT, ImportUnits
from host.inventory import Disk
from host.probe.disks.labels import parse_zdb_label
from host.probe.system.boot import read_boot_import
from tests.contract.bench import read_disks, read_facts


def test_disks_have_what_tells_them_apart(disks: tuple[Disk, ...]) -> None:
    assert len({disk.serial for disk in disks}) == len(disks)
    for disk in disks:
        assert disk.id in disk.links
        assert disk.port
        assert disk.path.startswith("/dev/")
        assert disk.size_bytes > 1 << 30
        assert disk.logical_sector_bytes in {512, 4096}
        assert disk.physical_sector_bytes >= disk.logical_sector_bytes
        assert disk.medium in {"hdd", "ssd"}


@pytest.mark.core
def test_the_disk_that_the_system_runs_from_is_in_use(host: Host) -> None:
    boot = [disk for disk in read_disks(host) if any(claim.kind == "boot" for claim in disk.claims)]
    assert boot
    assert all(disk.in_use for disk in boot)


@pytest.mark.core
def test_facts_of_the_machine_are_known(host: Host) -> None:
    facts = read_facts(host)
    assert facts.name
    assert facts.kernel[0].isdigit()
    assert facts.memory_bytes > 256 << 20
    assert facts.booted > 0


def test_userland_and_module_say_their_versions(host: Host) -> None:
    assert re.search(r'"userland":\s*"zfs-2\.', host.run(ZfsVersion()).stdout)
    facts = read_facts(host)
    assert (facts.zfs_userland or "").startswith("zfs-2.")
    assert (facts.zfs_module or "").startswith("zfs-kmod-2.")


def test_the_running_kernel_is_installed_with_its_module(host: Host) -> None:
    facts = read_facts(host)
    assert {kernel.version: kernel.zfs_module for kernel in facts.kernels}[facts.kernel]
    assert facts.next_kernel in {None, *(kernel.version for kernel in facts.kernels)}


def test_how_pools_come_back_is_reported(host: Host) -> None:
    found = read_boot_import(host)
    assert found is not None and (found.watching, found.watched) == ("enabled", True)
    lines = host.run(ImportUnits()).stdout.splitlines()
    assert [line for line in lines if line.startswith("Id=")] == [
        f"Id={unit}" for unit in (*IMPORT_UNITS, ZED_UNIT)
    ]


def test_what_a_folder_holds_is_reported(host: Host) -> None:
    missing = host.run(FolderHolds(path="/nowhere/nasweb-contract"))
    assert (missing.exit, missing.stdout) == (1, "")
    assert "No such file or directory" in missing.stderr


def test_memory_reports_ecc_or_of_nothing(host: Host) -> None:
    assert "Error Correction Type:" in host.run(MemoryModules()).stdout
    assert read_facts(host).ecc in {"yes", "no", "unknown"}


def test_arrays_are_listed(host: Host) -> None:
    text = host.run(ReadFact(path="/proc/mdstat")).stdout
    assert text.startswith("Personalities :")
    assert "unused devices:" in text


def test_memory_controllers_are_listed_if_there_are_any(host: Host) -> None:
    lines = host.run(EccControllers()).stdout.splitlines()
    assert all(re.fullmatch(r"/sys/devices/system/edac/mc/mc\d+", line) for line in lines)


def test_settling_says_nothing(host: Host) -> None:
    assert host.run(UdevSettle()).stdout == ""


def test_a_device_without_a_label_has_no_state(host: Host, disks: tuple[Disk, ...]) -> None:
    missing = f"{disks[0].link}-gone"
    assert parse_zdb_label(host.run(ZdbLabel(device=missing)).stdout) is None


def test_properties_come_in_four_columns(host: Host) -> None:
    assert {line.count("\t") for line in host.run(ZfsGet()).stdout.splitlines()} <= {3}

"""What disks say of themselves, and lights of slots. Nothing here needs a disk that is free."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from host.base import CommandFailed, Host
from host.commands.closed import decode, encode
from host.commands.disks.enclosure import ListEnclosures, SlotLight
from host.commands.disks.leds import Controller, LedLight, LedSlots
from host.commands.disks.smart import SmartTest
from host.commands.facts import DiskSequence, PoolStates
from host.commands.pools.members import ZpoolOffline
from host.inventory import Disk, leaves
from host.probe.disks.enclosures import read_enclosures
from host.probe.disks.leds import parse_led_slots
from host.probe.disks.mark import mark
from host.probe.disks.smart import read_smart
from tests.contract.bench import POOL, Bench, memory, read_disks
from tests.contract.conftest import again


@pytest.mark.core
def test_a_sata_disk_reports_its_health_and_temperature(host: Host, disks: tuple[Disk, ...]) -> None:
    for disk in disks[:2]:
        reading = read_smart(host, disk)
        assert (reading.supported, reading.passed, reading.asleep) == (True, True, False)
        assert 15 < (reading.temperature_celsius or 0) < 60
        assert reading.rpm == 5400
        assert reading.power_on_hours is not None
        assert reading.reallocated_sectors == 0
        assert reading.short_test_minutes == 2
        assert reading.wear_percent is None
        assert reading.self_tests is True


def test_a_flash_drive_reports_nothing_and_that_is_said(host: Host) -> None:
    flash = [disk for disk in read_disks(host) if disk.medium == "flash"]
    assert flash
    for disk in flash:
        reading = read_smart(host, disk)
        assert (reading.supported, reading.passed, reading.temperature_celsius) == (False, None, None)
        assert reading.messages


def test_a_self_test_starts_and_is_seen(host: Host, disks: tuple[Disk, ...]) -> None:
    host.run(SmartTest(disk=disks[0].link, kind="short"))
    during = read_smart(host, disks[0])
    assert during.testing or during.tests[0].result == "passed"
    if during.testing:
        host.run(SmartTest(disk=disks[0].link, kind="abort"))
    after = read_smart(host, disks[0])
    assert not after.testing
    assert after.tests[0].kind == "short"
    assert after.tests[0].at_hours is not None  # QEMU's disks write down a fixed figure


def test_a_disk_that_is_gone_is_no_reading_and_cannot_be_tested(host: Host, disks: tuple[Disk, ...]) -> None:
    link = f"{disks[0].link}-gone"
    name = link.rpartition("/")[2]
    gone = Disk(
        id=name, links=(name,), path="/dev/none", port=None, serial=None, wwn=None, model="none",
        size_bytes=1, logical_sector_bytes=512, physical_sector_bytes=512, medium="hdd",
    )  # fmt: skip
    reading = read_smart(host, gone)
    assert (reading.asleep, reading.supported, reading.passed) == (False, None, None)
    assert "Unable to detect device type" in reading.messages[0]
    with pytest.raises(CommandFailed, match="Unable to detect device type"):
        host.run(SmartTest(disk=link, kind="short"))


def test_reading_changes_nothing_on_the_disks(bench: Bench, disks: tuple[Disk, ...]) -> None:
    before = [again(bench.host, disk) for disk in disks]
    for disk in disks:
        read_smart(bench.host, disk)
    assert [again(bench.host, disk) for disk in disks] == before


def test_the_mark_stays_while_no_disk_comes_or_goes(host: Host) -> None:
    lines = host.run(DiskSequence()).stdout.splitlines()
    whole = {line.partition("\t")[0] for line in lines if "-part" not in line}
    assert len(whole) >= len(read_disks(host))
    assert mark(host) == mark(host)


def test_the_mark_changes_with_the_state_of_a_pool(bench: Bench) -> None:
    seen = [mark(bench.host)]
    pool = bench.create(("data", "mirror", 2))
    assert f"/proc/spl/kstat/zfs/{POOL}/state:ONLINE" in bench.host.run(PoolStates()).stdout.splitlines()
    seen.append(mark(bench.host))
    bench.host.run(ZpoolOffline(name=POOL, vdev=next(leaves(pool.vdevs[0])).guid))
    assert f"/proc/spl/kstat/zfs/{POOL}/state:DEGRADED" in bench.host.run(PoolStates()).stdout.splitlines()
    seen.append(mark(bench.host))
    assert len(set(seen)) == 3


def test_disks_have_an_address_that_no_other_has(disks: tuple[Disk, ...]) -> None:
    addresses = {disk.hctl for disk in disks}
    assert len(addresses) == len(disks)
    assert all(re.fullmatch(r"\d+:\d+:\d+:\d+", address or "") for address in addresses)


def test_enclosures_are_listed_where_there_are_any(host: Host) -> None:
    lines = host.run(ListEnclosures()).stdout.splitlines()
    assert all(re.fullmatch(r"\.\./\.\./devices/.+/enclosure/\d+:\d+:\d+:\d+", line) for line in lines)
    for enclosure in read_enclosures(host):
        for slot in enclosure.slots:
            light = SlotLight(path=slot.path, on=False)
            assert decode(encode(light)) == light


def test_a_light_that_is_not_there_cannot_be_switched(host: Host) -> None:
    path = "/sys/devices/pci0000:ff/host99/target99:0:0/99:0:0:0/enclosure/99:0:0:0/Slot01"
    with pytest.raises(CommandFailed, match="No such file or directory") as failure:
        host.run(SlotLight(path=path, on=True))
    assert failure.value.result.stdout == "1\n"


def test_ledctl_has_no_light_for_a_disk_that_is_in_no_bay_of_its(host: Host, disks: tuple[Disk, ...]) -> None:
    for controller in get_args(Controller):
        assert parse_led_slots(host.run(LedSlots(controller=controller)).stdout) == {}
    assert memory(host).leds(host, read_disks(host)) == {}
    with pytest.raises(CommandFailed):
        host.run(LedLight(disk=f"{disks[0].link}-gone", on=False))

"""Lights that ledctl switches: what it prints, when it is asked, and the simulated machine that has some."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed, HostError, Result, check
from host.commands.base import Command
from host.commands.closed import decode, encode
from host.commands.disks.leds import LedLight, LedSlots
from host.commands.disks.smart import SmartTest
from host.inventory import Disk
from host.probe.cache import ProbeCache
from host.probe.disks.leds import parse_led_slots, read_leds
from host.probe.disks.smart import read_smart
from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.__main__ import main
from tests import made

LEDS = Path(__file__).parents[1] / "composed" / "leds"


class Ledctl:
    """A host that knows ledctl alone."""

    kind = "local"

    def __init__(self, **answers: Result) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def run(self, command: Command) -> Result:
        assert isinstance(command, LedSlots)
        self.asked.append(command.controller)
        return check(command, self.answers.get(command.controller, Result(exit=0)))


@pytest.fixture
def flash(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "flash.json", "flash4")


def bays(flash: SimulatedHost) -> list[Disk]:
    return [disk for disk in probe(flash).disks if disk.transport == "nvme"]


def text(name: str) -> str:
    return (LEDS / f"{name}.txt").read_text()


def test_lights_are_known_by_the_device_in_their_slot() -> None:
    npem = {"/dev/nvme0n1": True, "/dev/nvme1n1": False, "/dev/nvme2n1": False}
    assert parse_led_slots(text("npem-0.97")) == npem
    assert parse_led_slots(text("vmd-1.0")) == {"/dev/nvme4n1": True, "/dev/nvme5n1": False}


def test_all_types_of_controllers_are_asked_and_one_that_fails_has_none() -> None:
    host = Ledctl(NPEM=Result(exit=6, stdout=text("npem-0.97")), VMD=Result(exit=0, stdout=text("vmd-1.0")))
    assert read_leds(host) == {"/dev/nvme4n1": True, "/dev/nvme5n1": False}
    assert host.asked == ["NPEM", "VMD"]


def test_without_ledctl_there_are_no_lights() -> None:
    missing = Result(exit=127, stderr="ledctl: command not found\n")
    assert read_leds(Ledctl(NPEM=missing, VMD=missing)) == {}


def test_a_machine_without_nvme_disks_is_never_asked() -> None:
    host = Ledctl()
    assert ProbeCache().leds(host, (made.disk(1), made.disk(2))) == {}
    assert host.asked == []


def test_lights_are_asked_once_until_a_disk_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    host, cache = Ledctl(VMD=Result(exit=0, stdout=text("vmd-1.0"))), ProbeCache()
    first, second = (msgspec.structs.replace(made.disk(n), transport="nvme") for n in (1, 2))
    for _ in range(3):
        assert cache.leds(host, (first,)) == {"/dev/nvme4n1": True, "/dev/nvme5n1": False}
    assert len(host.asked) == 2
    cache.leds(host, (first, second))
    assert len(host.asked) == 4
    monkeypatch.setattr("host.probe.cache.LASTS_S", -1.0)
    cache.leds(host, (first, second))
    assert len(host.asked) == 6


def test_what_is_typed() -> None:
    light = LedLight(disk="/dev/disk/by-id/nvme-X_1", on=True)
    assert light.argv() == ("ledctl", "--listed-only", "locate=/dev/disk/by-id/nvme-X_1")
    off = msgspec.structs.replace(light, on=False)
    assert off.argv()[2] == "locate_off=/dev/disk/by-id/nvme-X_1"
    assert decode(encode(off)) == off
    assert LedSlots(controller="NPEM").argv() == ("ledctl", "--list-slots", "--controller-type=NPEM")
    with pytest.raises(msgspec.ValidationError):
        decode(encode(LedLight(disk="/dev/disk/by-id/nvme-X,/dev/sda", on=True)))


def test_simulated_bays_have_lights_and_boot_disks_none(flash: SimulatedHost) -> None:
    assert [(disk.path, disk.led, disk.hctl) for disk in bays(flash)] == [
        (f"/dev/nvme{n}n1", False, None) for n in range(4)
    ]
    assert [disk.led for disk in probe(flash).disks if disk.transport == "sata"] == [None, None]
    assert all(disk.id.startswith("nvme-SAMSUNG") for disk in bays(flash))


def test_a_simulated_light_is_switched_and_listed(
    flash: SimulatedHost, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disk = bays(flash)[2]
    flash.run(LedLight(disk=disk.link, on=True))
    assert [one.led for one in bays(flash)] == [False, False, True, False]
    main(["lights", "--state", str(tmp_path / "flash.json")])
    assert capsys.readouterr().out == "NPEM slot 0000:40:03.1\n"
    flash.run(LedLight(disk=disk.link, on=False))
    assert not any(one.led for one in probe(flash).disks)


def test_a_disk_without_a_light_or_that_is_gone_cannot_be_lit(flash: SimulatedHost) -> None:
    disks = bays(flash)
    boot = next(disk for disk in probe(flash).disks if disk.transport == "sata")
    with pytest.raises(CommandFailed, match="device not supported") as refused:
        flash.run(LedLight(disk=boot.link, on=True))
    assert refused.value.result.exit == 33
    flash.pull(disks[0].serial or "")
    with pytest.raises(HostError):
        flash.run(LedLight(disk=disks[0].link, on=True))
    assert "(empty)" in flash.run(LedSlots(controller="NPEM")).stdout


def test_a_pulled_nvme_disk_takes_its_name_again(flash: SimulatedHost) -> None:
    serials = [disk.serial or "" for disk in bays(flash)]
    flash.pull(serials[0])
    flash.insert(serials[0])
    assert [disk.serial for disk in bays(flash)] == serials
    flash.shuffle()
    assert [disk.serial for disk in bays(flash)] == serials[::-1]
    assert [disk.path for disk in bays(flash)] == [f"/dev/nvme{n}n1" for n in range(4)]


def test_a_simulated_nvme_disk_reports_its_wear_and_tests_itself(flash: SimulatedHost) -> None:
    disk = bays(flash)[1]
    reading = read_smart(flash, disk)
    assert (reading.supported, reading.passed, reading.wear_percent, reading.testing) == (
        True,
        True,
        5,
        False,
    )
    assert reading.spare_percent == 100 and reading.pending_sectors is None
    flash.run(SmartTest(disk=disk.link, kind="short"))
    assert read_smart(flash, disk).test_remaining_percent == 90
    flash.pass_time(60)
    assert [(test.kind, test.result) for test in read_smart(flash, disk).tests] == [("short", "passed")]

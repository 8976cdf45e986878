"""SMART, self-tests, sleep, enclosures and hands on disks, as the simulated machine answers them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from host.base import CommandFailed, HostError
from host.commands.disks.enclosure import ListEnclosures, SlotLight
from host.commands.disks.smart import SmartRead, SmartTest
from host.commands.facts import DiskSequence
from host.inventory import Disk, SmartReading
from host.probe.disks.mark import mark
from host.probe.disks.smart import read_smart
from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.__main__ import main
from host.simulated.hands import Impossible
from host.simulated.smart import wander

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"


@pytest.fixture
def home(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "home.json", "home")


@pytest.fixture
def rack(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "rack.json", "rack24")


@pytest.fixture
def shelf(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "shelf.json", "shelf12")


def disks(host: SimulatedHost) -> list[Disk]:
    return list(probe(host).disks)


def readings(host: SimulatedHost) -> list[SmartReading]:
    return [read_smart(host, disk) for disk in disks(host)]


def test_readings_have_the_keys_of_a_real_disk(home: SimulatedHost) -> None:
    real = json.loads((TRANSCRIPTS / "home-empty" / "smart-sata1.json").read_text())
    mine = json.loads(home.run(SmartRead(disk=disks(home)[0].link)).stdout)
    for key in ("smart_support", "smart_status", "temperature", "power_on_time", "device"):
        # The disk of the transcript is QEMU's, which has no table of temperatures (SCT) with its limit.
        assert mine[key].keys() - {"op_limit_max"} == real[key].keys(), key
    assert type(mine["power_cycle_count"]) is type(real["power_cycle_count"])
    rows = {row["id"]: row for row in real["ata_smart_attributes"]["table"]}
    for row in mine["ata_smart_attributes"]["table"]:
        assert row.keys() <= rows[5].keys()
        assert row["name"] == rows.get(row["id"], row)["name"]


def test_a_flash_drive_and_a_disk_that_is_gone_are_reported_as_by_a_real_machine(home: SimulatedHost) -> None:
    real = json.loads((TRANSCRIPTS / "home-empty" / "smart-usb1.json").read_text())
    flash = next(disk for disk in disks(home) if disk.medium == "flash")
    mine = home.run(SmartRead(disk=flash.link))
    said = json.loads(mine.stdout)["smartctl"]
    assert (mine.exit, said["exit_status"]) == (1, real["smartctl"]["exit_status"])
    assert [message.keys() for message in said["messages"]] == [
        message.keys() for message in real["smartctl"]["messages"]
    ]
    gone = home.run(SmartRead(disk="/dev/disk/by-id/nothing"))
    real = json.loads((TRANSCRIPTS / "errors" / "smartctl-missing.json").read_text())
    assert gone.exit == real["exit"]
    assert "Unable to detect device type" in gone.stdout
    assert "Unable to detect device type" in real["stdout"]


def test_a_home_is_warm_and_one_cable_is_bad(home: SimulatedHost) -> None:
    found = readings(home)
    assert [reading.supported for reading in found] == [True] * 6 + [False] * 2
    assert all(30 <= (reading.temperature_celsius or 0) <= 41 for reading in found[:6])
    assert sorted(reading.crc_errors or 0 for reading in found[:6]) == [0, 0, 0, 0, 0, 143]
    assert all((reading.power_on_hours or 0) > 9_000 for reading in found[:6])
    assert {reading.rpm for reading in found[:6]} == {5400}


def test_temperatures_wander_slowly_and_stay_believable(home: SimulatedHost) -> None:
    machine = home.machine()
    disk = machine.disks[2]
    assert disk.smart is not None
    seen = []
    for minute in range(0, 3 * 24 * 60, 5):
        machine.ahead_s = minute * 60.0
        seen.append(wander.temperature(disk, disk.smart, machine))
    assert (min(seen), max(seen)) == (disk.smart.temperature - 2, disk.smart.temperature + 2)
    assert max(abs(one - next_) for one, next_ in pairwise(seen)) <= 2


def test_hours_pass(home: SimulatedHost) -> None:
    before = readings(home)[0].power_on_hours
    home.pass_time(10 * 3600)
    assert before is not None
    assert readings(home)[0].power_on_hours == before + 10


def test_a_rack_is_hotter_on_top_and_one_disk_waits_to_reallocate(rack: SimulatedHost) -> None:
    found = readings(rack)
    middle = [reading.temperature_celsius or 0 for reading in found[4:24]]
    top = [reading.temperature_celsius or 0 for reading in found[:4]]
    assert sum(top) / 4 - sum(middle) / 20 > 2
    assert [n for n, reading in enumerate(found) if reading.pending_sectors] == [13]
    assert [reading.wear_percent for reading in found[24:]] == [12, 37]
    assert found[0].wear_percent is None


def test_a_shelf_of_sas_disks(shelf: SimulatedHost) -> None:
    found = readings(shelf)[:12]
    assert [reading.supported for reading in found] == [True] * 12
    assert [reading.reallocated_sectors for reading in found] == [0] * 7 + [3] + [0] * 4
    assert {reading.crc_errors for reading in found} == {None}


@pytest.mark.parametrize("profile", ["home", "shelf12"])
def test_a_self_test_runs_by_the_clock_and_ends_in_the_log(tmp_path: Path, profile: str) -> None:
    host = SimulatedHost(tmp_path / "machine.json", profile)
    disk = disks(host)[1]
    assert read_smart(host, disk).tests == ()
    host.run(SmartTest(disk=disk.link, kind="short"))
    during = read_smart(host, disk)
    assert during.testing
    assert during.test_remaining_percent == (90 if profile == "home" else None)
    with pytest.raises(CommandFailed, match="Can't start self-test without aborting current test"):
        host.run(SmartTest(disk=disk.link, kind="long"))
    host.pass_time(60)
    after = read_smart(host, disk)
    assert not after.testing
    assert [(test.kind, test.result, test.at_hours) for test in after.tests] == [
        ("short", "passed", after.power_on_hours)
    ]


def test_an_aborted_test_says_so_and_aborting_nothing_is_no_failure(home: SimulatedHost) -> None:
    disk = disks(home)[0]
    home.run(SmartTest(disk=disk.link, kind="abort"))
    home.run(SmartTest(disk=disk.link, kind="long"))
    home.run(SmartTest(disk=disk.link, kind="abort"))
    reading = read_smart(home, disk)
    assert (reading.testing, [test.result for test in reading.tests]) == (False, ["aborted"])


def test_a_long_test_finds_the_sectors_that_a_short_one_passes_over(rack: SimulatedHost) -> None:
    disk = disks(rack)[13]
    for kind in ("short", "long"):
        rack.run(SmartTest(disk=disk.link, kind=kind))
        rack.pass_time(200)
    assert [(test.kind, test.result) for test in read_smart(rack, disk).tests] == [
        ("long", "failed"), ("short", "passed"),
    ]  # fmt: skip
    assert read_smart(rack, disk).tests[0].first_error_lba is not None


def test_a_flash_drive_cannot_test_itself(home: SimulatedHost) -> None:
    with pytest.raises(CommandFailed, match="Unknown USB bridge"):
        home.run(SmartTest(disk=disks(home)[6].link, kind="short"))


def test_a_sleeping_disk_is_left_alone_until_a_test_wakes_it(home: SimulatedHost) -> None:
    disk = disks(home)[0]
    home.sleep(disk.serial or "")
    assert read_smart(home, disk).asleep
    probe(home)
    reading = read_smart(home, disk)
    assert (reading.asleep, reading.temperature_celsius) == (True, None)
    home.run(SmartTest(disk=disk.link, kind="short"))
    assert not read_smart(home, disk).asleep
    with pytest.raises(Impossible, match="has no SMART"):
        home.sleep(disks(home)[7].serial or "")


def test_a_disk_can_be_aged(home: SimulatedHost) -> None:
    disk = disks(home)[0]
    home.age(disk.id, pending=3, temperature=55)
    reading = read_smart(home, disk)
    assert reading.pending_sectors == 3
    assert abs((reading.temperature_celsius or 0) - 55) <= 2
    with pytest.raises(Impossible, match="do not count luck"):
        home.age(disk.id, luck=1)


def test_slots_of_the_shelf_know_their_disks_and_keep_their_lights(shelf: SimulatedHost) -> None:
    inventory = probe(shelf)
    (enclosure,) = inventory.enclosures
    assert [slot.number for slot in enclosure.slots] == list(range(12))
    addresses = {disk.hctl: disk.serial for disk in inventory.disks}
    assert len({addresses[slot.hctl] for slot in enclosure.slots}) == 12
    shelf.run(SlotLight(path=enclosure.slots[4].path, on=True))
    (enclosure,) = probe(shelf).enclosures
    assert [slot.number for slot in enclosure.slots if slot.locating] == [4]
    assert shelf.ran()[-1][-2:] == ["<<<", "1"]
    shelf.run(SlotLight(path=enclosure.slots[4].path, on=False))
    assert not any(slot.locating for slot in probe(shelf).enclosures[0].slots)


def test_a_light_of_a_slot_that_is_not_there_fails(shelf: SimulatedHost) -> None:
    path = probe(shelf).enclosures[0].slots[0].path
    with pytest.raises(CommandFailed, match="No such file or directory"):
        shelf.run(SlotLight(path=f"{path}0", on=True))


def test_a_pulled_disk_empties_its_slot_and_another_one_fills_it(shelf: SimulatedHost) -> None:
    first, second = disks(shelf)[:2]
    shelf.pull(first.id)
    shelf.pull(second.id)
    assert [slot.hctl for slot in probe(shelf).enclosures[0].slots[:3]] == [None, None, "0:0:2:0"]
    shelf.insert(first.id, into=second.id)
    after = probe(shelf)
    moved = after.disk(first.id)
    assert moved is not None
    assert (moved.port, moved.hctl) == (second.port, second.hctl)
    assert [slot.hctl for slot in after.enclosures[0].slots[:2]] == [None, second.hctl]


def test_most_machines_have_no_enclosure(home: SimulatedHost) -> None:
    assert home.run(ListEnclosures()).exit == 1
    assert probe(home).enclosures == ()


def test_a_new_disk_takes_the_place_of_an_old_one(home: SimulatedHost) -> None:
    old = disks(home)[2]
    home.swap(old.id, "WD-NEW000001")
    new = next(disk for disk in disks(home) if disk.serial == "WD-NEW000001")
    assert (new.port, new.model, new.claims) == (old.port, old.model, ())
    assert new.wwn != old.wwn
    assert not set(new.links) & set(old.links)
    assert (read_smart(home, new).power_on_hours or 0) < 24
    with pytest.raises(Impossible):
        home.insert(old.id)


def test_names_change_at_a_start_and_nothing_else(rack: SimulatedHost) -> None:
    before = {disk.serial: disk for disk in disks(rack)}
    rack.shuffle()
    after = {disk.serial: disk for disk in disks(rack)}
    assert after.keys() == before.keys()
    assert sum(after[serial].path == before[serial].path for serial in before) == 0
    for serial, disk in after.items():
        assert (disk.id, disk.port, disk.wwn) == (before[serial].id, before[serial].port, before[serial].wwn)


def test_the_mark_changes_with_the_disks_and_only_then(home: SimulatedHost) -> None:
    disk = disks(home)[0]
    seen = [mark(home)]
    home.occupy(disk.id, "unmounted-ntfs")
    home.age(disk.id, pending=1)
    assert mark(home) == seen[0]
    home.pull(disk.id)
    seen.append(mark(home))
    home.insert(disk.id)
    seen.append(mark(home))
    home.swap(disk.id, "WD-NEW000001")
    seen.append(mark(home))
    assert len(set(seen)) == 4


def test_the_mark_of_a_host_that_is_gone_is_an_error(home: SimulatedHost) -> None:
    home.fail_next(DiskSequence, stderr="gone", exit_status=127)
    with pytest.raises(HostError):
        mark(home)


def test_hands_can_be_laid_on_it_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "shelf.json"
    host = SimulatedHost(state, "shelf12")
    first, second = disks(host)[:2]
    assert first.serial
    assert second.serial
    slot = probe(host).enclosures[0].slots[1]
    host.run(SlotLight(path=slot.path, on=True))

    def act(*words: str) -> str:
        assert main([words[0], "--state", str(state), *words[1:]]) == 0
        return capsys.readouterr().out

    assert "slot 1 (Slot02)" in act("lights")
    act("sleep", first.serial)
    assert read_smart(host, first).asleep
    act("wake", first.serial)
    act("age", first.serial, "reallocated=9", "hours=50000")
    reading = read_smart(host, first)
    assert (reading.reallocated_sectors, reading.power_on_hours) == (9, 50005)
    act("swap", second.serial, "PCKNEW01")
    assert "PCKNEW01" in act("disks")
    act("shuffle")
    assert {disk.serial for disk in disks(host)} >= {first.serial, "PCKNEW01"}
    for wrong in (("age", first.serial, "luck=1"), ("sleep", "nothing"), ("insert", second.serial)):
        with pytest.raises(SystemExit):
            act(*wrong)

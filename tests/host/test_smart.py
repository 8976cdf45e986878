"""Readings of disks of all kinds: recorded in the lab, and composed where it has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from host.base import CommandFailed, CommandTimedOut, HostUnavailable, Result, check
from host.commands.base import Command
from host.commands.disks.smart import SmartRead, SmartTest
from host.inventory import Disk, SelfTest, SmartReading
from host.probe.disks.smart import parse_smart, read_smart

TESTS = Path(__file__).parents[1]
AT = "2026-11-21T12:00:00+00:00"


def recorded(machine: str, disk: str) -> SmartReading:
    return parse_smart((TESTS / "transcripts" / machine / f"smart-{disk}.json").read_text(), at=AT)


def composed(name: str) -> SmartReading:
    return parse_smart(said(name), at=AT)


def said(name: str) -> str:
    return (TESTS / "composed" / "smart" / f"{name}.json").read_text()


def disk(**traits: object) -> Disk:
    common = {
        "id": "usb-X_1-0:0", "links": ("usb-X_1-0:0",), "path": "/dev/sdb", "port": None, "serial": "1",
        "wwn": None, "model": "X", "size_bytes": 1, "logical_sector_bytes": 512,
        "physical_sector_bytes": 512, "medium": "hdd",
    }  # fmt: skip
    return Disk(**common | traits)  # type: ignore[arg-type]


class Answers:
    """A host that gives these answers to `SmartRead`, in turn."""

    kind = "local"

    def __init__(self, *answers: Result | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[Command] = []

    def run(self, command: Command) -> Result:
        self.asked.append(command)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return check(command, answer)


def test_a_sata_disk_of_the_lab_reports_what_it_counts_and_nothing_else() -> None:
    assert recorded("home-claimed-2", "sata1") == SmartReading(
        at=AT, supported=True, passed=True, temperature_celsius=31, power_on_hours=1, power_cycles=0,
        rpm=5400, reallocated_sectors=0, short_test_minutes=2, long_test_minutes=54, error_count=0,
        self_tests=True,
    )  # fmt: skip


def test_a_virtual_sas_disk_knows_nothing_and_its_zero_degrees_are_no_temperature() -> None:
    assert recorded("tank-degraded", "sas1") == SmartReading(at=AT, supported=False, rpm=7200)


def test_an_unknown_usb_bridge_is_said_and_not_guessed() -> None:
    reading = recorded("home-empty", "usb1")
    assert reading.supported is False
    assert "Unknown USB bridge" in reading.messages[0]
    assert (reading.passed, reading.temperature_celsius, reading.tests) == (None, None, ())


def test_a_failing_sata_disk() -> None:
    reading = composed("ata-failing")
    assert (reading.passed, reading.supported, reading.temperature_celsius) == (False, True, 38)
    assert (reading.reallocated_sectors, reading.pending_sectors, reading.uncorrectable_sectors) == (
        1704, 24, 18,
    )  # fmt: skip
    assert (reading.crc_errors, reading.power_on_hours, reading.error_count) == (143, 34567, 47)
    assert (reading.testing, reading.test_remaining_percent, reading.long_test_minutes) == (False, None, 401)
    assert reading.tests[0] == SelfTest(
        kind="long", result="failed", words="Completed: read failure", at_hours=34560,
        first_error_lba=1953525168,
    )  # fmt: skip
    assert [(test.kind, test.result) for test in reading.tests] == [
        ("long", "failed"), ("short", "aborted"), ("short", "interrupted"), ("other", "passed"),
        ("short", "passed"),
    ]  # fmt: skip


def test_a_test_that_runs_says_how_much_remains() -> None:
    reading = composed("ata-testing")
    assert (reading.testing, reading.test_remaining_percent, reading.tests) == (True, 70, ())
    assert reading.pending_sectors is None


def test_a_sas_disk_with_defects() -> None:
    reading = composed("sas-defects")
    assert (reading.reallocated_sectors, reading.pending_sectors, reading.uncorrectable_sectors) == (27, 4, 6)
    assert (reading.power_on_hours, reading.power_cycles, reading.written_bytes) == (
        51220, 131, 87_211_562 * 10**6,
    )  # fmt: skip
    assert (reading.crc_errors, reading.wear_percent, reading.long_test_minutes) == (None, None, 567)
    assert reading.tests == (
        SelfTest(
            kind="long", result="failed", words="Failed in first segment", at_hours=51200,
            first_error_lba=987654321,
        ),
        SelfTest(kind="short", result="passed", words="Completed", at_hours=50000),
    )  # fmt: skip


def test_a_sas_disk_that_tests_itself_does_not_say_how_much_remains() -> None:
    reading = composed("sas-testing")
    assert (reading.testing, reading.test_remaining_percent) == (True, None)
    assert (reading.tests[0].result, reading.tests[0].at_hours) == ("running", None)
    assert reading.temperature_celsius is None


def test_an_nvme_drive_worn_past_its_rating() -> None:
    reading = composed("nvme")
    assert (reading.rpm, reading.temperature_celsius, reading.power_on_hours) == (0, 44, 20111)
    assert (reading.wear_percent, reading.spare_percent, reading.uncorrectable_sectors) == (104, 97, 2)
    assert (reading.written_bytes, reading.error_count) == (123456789 * 512_000, 315)
    assert (reading.testing, reading.test_remaining_percent) == (True, 65)
    assert [(test.kind, test.result, test.first_error_lba) for test in reading.tests] == [
        ("short", "passed", None), ("long", "failed", 123456),
    ]  # fmt: skip


def test_wear_is_read_from_statistics_before_attributes() -> None:
    by_attribute, by_statistics = composed("ssd-wear-intel"), composed("ssd-wear-statistics")
    assert (by_attribute.wear_percent, by_attribute.written_bytes) == (37, 2000 * 32 << 20)
    assert (by_statistics.wear_percent, by_statistics.written_bytes) == (11, 4_000_000_000 * 512)
    assert by_statistics.crc_errors == 6


@pytest.mark.parametrize("name", ["asleep", "asleep-by-the-kernel", "asleep-before-7.3"])
def test_a_disk_in_standby_is_asleep_and_everything_else_is_unknown(name: str) -> None:
    assert composed(name) == SmartReading(at=AT, asleep=True)


def test_a_disk_that_is_gone_is_not_asleep() -> None:
    reading = composed("open-failed")
    assert (reading.asleep, reading.supported) == (False, None)
    assert reading.messages == ("Smartctl open device: /dev/sdz failed: No such device",)


def test_smart_that_is_switched_off_is_not_supported() -> None:
    assert composed("smart-disabled").supported is False


def test_what_is_no_json_says_so() -> None:
    assert parse_smart("Segmentation fault\n", at=AT).messages == ("smartctl did not answer in JSON.",)


def test_an_unknown_bridge_is_asked_again_as_most_are_built() -> None:
    unknown = (TESTS / "transcripts" / "home-empty" / "smart-usb1.json").read_text()
    host = Answers(Result(exit=1, stdout=unknown), Result(exit=216, stdout=said("ata-failing")))
    assert read_smart(host, disk()).pending_sectors == 24
    assert [command.argv()[5:] for command in host.asked] == [
        ("/dev/disk/by-id/usb-X_1-0:0",),
        ("-d", "sat", "/dev/disk/by-id/usb-X_1-0:0"),
    ]


def test_the_bridge_that_answered_is_remembered_and_asked_first() -> None:
    unknown = (TESTS / "transcripts" / "home-empty" / "smart-usb1.json").read_text()
    first = Answers(Result(exit=1, stdout=unknown), Result(exit=216, stdout=said("ata-failing")))
    assert read_smart(first, disk()).bridge == "sat"
    again = Answers(Result(exit=216, stdout=said("ata-failing")))
    reading = read_smart(again, disk(bridge="sat"))
    assert (reading.bridge, reading.pending_sectors, len(again.asked)) == ("sat", 24, 1)
    asleep = Answers(Result(exit=2, stdout=said("asleep")))
    assert read_smart(asleep, disk(bridge="sat")).asleep


def test_a_disk_that_hangs_on_something_else_by_now_is_asked_as_usual() -> None:
    host = Answers(Result(exit=2, stdout=said("open-failed")), Result(exit=0, stdout=said("sas-defects")))
    reading = read_smart(host, disk(bridge="sat"))
    assert (reading.bridge, reading.supported) == ("auto", True)
    assert [isinstance(asked, SmartRead) and asked.bridge for asked in host.asked] == ["sat", "auto"]


def test_a_bridge_that_refuses_that_too_keeps_the_first_answer() -> None:
    unknown = (TESTS / "transcripts" / "home-empty" / "smart-usb1.json").read_text()
    host = Answers(Result(exit=1, stdout=unknown), Result(exit=2, stdout=said("open-failed")))
    reading = read_smart(host, disk())
    assert reading.supported is False
    assert "Unknown USB bridge" in reading.messages[0]


def test_a_flash_drive_is_not_asked_a_second_time() -> None:
    unknown = (TESTS / "transcripts" / "home-empty" / "smart-usb1.json").read_text()
    host = Answers(Result(exit=1, stdout=unknown))
    assert read_smart(host, disk(medium="flash")).supported is False


def test_a_disk_without_a_link_is_not_asked() -> None:
    host = Answers()
    assert "no name under /dev/disk/by-id" in read_smart(host, disk(id="sdd", links=())).messages[0]
    assert host.asked == []


def test_a_disk_that_does_not_answer_in_time_is_reported_and_a_host_that_does_not_is_an_error() -> None:
    late = CommandTimedOut(SmartRead(disk="/dev/disk/by-id/usb-X_1-0:0"), Result(exit=-9))
    assert read_smart(Answers(late), disk()).messages == ("It did not answer within 60 s.",)
    with pytest.raises(HostUnavailable):
        read_smart(Answers(HostUnavailable("gone")), disk())
    with pytest.raises(CommandFailed, match="command not found"):
        read_smart(Answers(Result(exit=127, stderr="smartctl: command not found\n")), disk())


def test_findings_about_the_disk_are_no_failure_of_a_self_test() -> None:
    command = SmartTest(disk="/dev/disk/by-id/ata-X", kind="long")
    assert command.argv() == ("smartctl", "-t", "long", "/dev/disk/by-id/ata-X")
    assert check(command, Result(exit=0b11011000)).exit == 216
    for exit_status in (1, 2, 4, 68):
        with pytest.raises(CommandFailed):
            check(command, Result(exit=exit_status))
    assert SmartTest(disk="/dev/disk/by-id/ata-X", kind="abort").argv()[1] == "-X"


def ata(**answer: object) -> SmartReading:
    """A SATA SSD whose answer has more than that."""
    common = {
        "device": {"protocol": "ATA"}, "rotation_rate": 0,
        "smart_support": {"available": True, "enabled": True},
    }  # fmt: skip
    return parse_smart(json.dumps(common | answer), at=AT)


def attribute(number: int, name: str, value: int, least: int) -> dict[str, object]:
    return {
        "ata_smart_attributes": {
            "table": [
                {
                    "id": number,
                    "name": name,
                    "value": value,
                    "thresh": least,
                    "raw": {"value": 0, "string": "0"},
                }
            ]
        }
    }


@pytest.mark.parametrize(
    ("number", "name", "value", "least", "spare"),
    [
        (232, "Available_Reservd_Space", 97, 10, (97, 10)),
        (179, "Used_Rsvd_Blk_Cnt_Tot", 100, 10, (100, 10)),
        (180, "Unused_Rsvd_Blk_Cnt_Tot", 0, 0, (None, None)),  # 0 of 0: the firmware does not count
        (232, "Available_Reservd_Space", 0, 0, (None, None)),
    ],
)
def test_spare_blocks_are_read_by_the_names_of_the_makers(
    number: int, name: str, value: int, least: int, spare: tuple[int | None, int | None]
) -> None:
    reading = ata(**attribute(number, name, value, least))
    assert (reading.spare_percent, reading.spare_least_percent) == spare


def test_the_speed_of_a_link_and_what_it_could_be_are_read() -> None:
    speed = {
        "max": {"sata_value": 14, "string": "6.0 Gb/s", "units_per_second": 60, "bits_per_unit": 100_000_000},
        "current": {
            "sata_value": 1,
            "string": "1.5 Gb/s",
            "units_per_second": 15,
            "bits_per_unit": 100_000_000,
        },
    }
    reading = ata(interface_speed=speed)
    assert (reading.link_mbit, reading.link_most_mbit) == (1500, 6000)
    assert (ata(interface_speed={}).link_mbit, ata().link_most_mbit) == (None, None)


def test_of_a_sas_disk_the_port_that_is_connected_counts() -> None:
    ports = {
        "scsi_sas_port_0": {"relative_target_port_id": 1, "phy_0": {
            "negotiated_logical_link_rate": "phy enabled; 12 Gbps"}},
        "scsi_sas_port_1": {"phy_0": {"negotiated_logical_link_rate": "phy enabled; unknown"}},
    }  # fmt: skip
    reading = parse_smart(json.dumps({"device": {"protocol": "SCSI"}} | ports), at=AT)
    assert (reading.link_mbit, reading.link_most_mbit) == (12_000, None)


def test_whether_a_disk_has_self_tests_is_known_or_not() -> None:
    assert recorded("home-tank", "sata1").self_tests is True
    assert (composed("nvme").self_tests, composed("sas-defects").self_tests) == (True, True)
    assert ata(ata_smart_data={"capabilities": {"self_tests_supported": False}}).self_tests is False
    nvme = {"device": {"protocol": "NVMe"}, "nvme_optional_admin_commands": {"self_test": False}}
    assert parse_smart(json.dumps(nvme), at=AT).self_tests is False
    assert ata().self_tests is None


@pytest.mark.parametrize(
    ("temperature", "most"),
    [
        ({"current": 38, "op_limit_max": 60, "limit_max": 70}, 60), ({"current": 38, "drive_trip": 85}, 85),
        ({"current": 38, "drive_trip": 255}, None), ({"current": 38, "drive_trip": 0}, None), ({}, None),
    ],
)  # fmt: skip
def test_a_disk_names_the_temperature_it_may_have(temperature: dict[str, int], most: int | None) -> None:
    assert ata(temperature=temperature).hottest_celsius == most


@pytest.mark.parametrize("count", [1 << 63, (1 << 64) - 1, (1 << 128) - 1])
def test_a_count_that_no_disk_can_reach_is_not_known(count: int) -> None:
    health = {"media_errors": count, "data_units_written": count, "power_cycles": 7}
    answer = {"device": {"protocol": "NVMe"}, "nvme_smart_health_information_log": health}
    reading = parse_smart(json.dumps(answer), at=AT)
    assert (reading.uncorrectable_sectors, reading.written_bytes) == (None, None)
    assert (reading.supported, reading.power_cycles) == (True, 7)


def test_nor_is_a_sum_of_such_counts() -> None:
    errors = {name: {"total_uncorrected_errors": (1 << 63) - 1} for name in ("read", "write")}
    answer = {"device": {"protocol": "SCSI"}, "scsi_error_counter_log": errors, "scsi_grown_defect_list": 3}
    reading = parse_smart(json.dumps(answer), at=AT)
    assert (reading.uncorrectable_sectors, reading.reallocated_sectors) == (None, 3)

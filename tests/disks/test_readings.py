"""What is kept of SMART readings, and what of them is told."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.utils import timezone

from disks.known import complete
from disks.models import DiskRecord
from disks.records import earlier_of, history_of, reading_of, record_of
from disks.smart import readings
from host.inventory import Inventory, SelfTest, SmartReading
from host.simulated import SimulatedHost
from tests.disks.cases import disk, machine

pytestmark = pytest.mark.django_db


def reading(day: int = 1, **changes: Any) -> SmartReading:
    values: dict[str, Any] = {"supported": True, "passed": True, "temperature_celsius": 31, "crc_errors": 5}
    return SmartReading(at=f"2026-11-{day:02}T12:00:00+00:00", **(values | changes))


@pytest.fixture
def record() -> DiskRecord:
    complete(now())
    found = record_of("WD-0001")
    assert found is not None
    return found


def now() -> Inventory:
    return msgspec.structs.replace(machine(disk(1)), as_of=timezone.now().isoformat())


def words(record: DiskRecord) -> list[str]:
    return [event.words for event in history_of(record) if event.kind in {"test", "verdict"}]


def current(**changes: Any) -> SmartReading:
    return msgspec.structs.replace(reading(**changes), at=timezone.now().isoformat())


def test_a_reading_is_laid_over_the_inventory(record: DiskRecord) -> None:
    readings.remember(record, current(rpm=5400, long_test_minutes=400, test_remaining_percent=70))
    (seen,) = complete(now()).disks
    assert (seen.temperature_celsius, seen.health, seen.asleep, seen.rpm) == (31, "good", False, 5400)
    assert (seen.long_test_minutes, seen.test_remaining_percent) == (400, 70)


def test_the_bridge_of_the_last_good_reading_is_kept_while_the_disk_sleeps(record: DiskRecord) -> None:
    readings.remember(record, current(bridge="sat"))
    readings.remember(record, SmartReading(at=timezone.now().isoformat(), asleep=True))
    (seen,) = complete(now()).disks
    assert (seen.asleep, seen.bridge) == (True, "sat")


def test_a_sleeping_disk_keeps_its_health_and_has_no_temperature(record: DiskRecord) -> None:
    readings.remember(record, current(passed=False))
    readings.remember(record, SmartReading(at=timezone.now().isoformat(), asleep=True))
    (seen,) = complete(now()).disks
    assert (seen.temperature_celsius, seen.health, seen.asleep) == (None, "failing", True)
    kept = reading_of(record)
    assert kept is not None and kept.passed is False


def test_an_old_reading_tells_no_temperature_of_now(record: DiskRecord) -> None:
    readings.remember(record, reading())
    (seen,) = complete(now()).disks
    assert (seen.temperature_celsius, seen.health) == (None, "good")


def test_a_disk_that_does_not_answer_keeps_what_it_said(record: DiskRecord) -> None:
    readings.remember(record, reading(1))
    readings.remember(record, SmartReading(at="2026-11-02T12:00:00+00:00", messages=("late",)))
    kept = reading_of(record)
    assert kept is not None and kept.at.startswith("2026-11-01")


def test_readings_are_compared_with_one_up_to_seven_days_of_running_older(record: DiskRecord) -> None:
    for day in range(1, 12):
        readings.remember(record, reading(day, crc_errors=day))
        readings.remember(record, reading(day, crc_errors=day))
    before = earlier_of(record)
    assert before is not None and (before.crc_errors, len(record.earlier)) == (5, 7)
    assert record.verdict == "warning"


def test_a_reading_of_a_clock_that_was_ahead_is_no_week_before(record: DiskRecord) -> None:
    readings.remember(record, reading(1, crc_errors=1))
    readings.remember(record, SmartReading(at="2027-11-01T12:00:00+00:00", crc_errors=2))
    for day in range(2, 12):
        readings.remember(record, reading(day, crc_errors=day))
    before = earlier_of(record)
    assert before is not None and (before.crc_errors, len(record.earlier)) == (5, 7)


def test_crc_errors_that_stopped_growing_are_forgiven_after_a_week(record: DiskRecord) -> None:
    readings.remember(record, reading(1, crc_errors=5))
    levels = []
    for day in range(2, 11):
        readings.remember(record, reading(day, crc_errors=17))
        levels.append(record.verdict)
    assert levels == ["warning"] * 6 + ["good"] * 3 or levels == ["warning"] * 7 + ["good"] * 2
    assert words(record) == [
        "Health is now good",
        "Health is now warning: 12 CRC errors since 2026-11-01, 17 in all",
    ]


def test_the_end_of_a_self_test_is_told_once_and_old_ones_are_not(record: DiskRecord) -> None:
    old = SelfTest(kind="short", result="passed", words="Completed without error", at_hours=1)
    running = SelfTest(kind="long", result="running", words="in progress", at_hours=2)
    failed = SelfTest(kind="long", result="failed", words="Completed: read failure", at_hours=2)
    readings.remember(record, reading(1, tests=(old,)))
    readings.remember(record, reading(1, tests=(running, old)))
    assert words(record) == []
    assert readings.expecting() == [record.pk]
    for _ in range(2):
        readings.remember(record, reading(1, tests=(failed, old)))
    assert words(record) == [
        "Health is now failing: The last self-test failed: Completed: read failure",
        "Long self-test failed: Completed: read failure, after 2 hours",
    ]
    assert readings.expecting() == []


def test_a_disk_that_was_never_asked_is_waited_for(record: DiskRecord) -> None:
    assert readings.expecting() == [record.pk]
    readings.remember(record, SmartReading(at="2026-11-01T12:00:00+00:00", asleep=True))
    assert readings.expecting() == []


def test_a_reading_that_cannot_be_kept_takes_that_of_no_other_disk_with_it(
    monkeypatch: pytest.MonkeyPatch, simulated: SimulatedHost
) -> None:
    both = msgspec.structs.replace(machine(disk(1), disk(2)), as_of=timezone.now().isoformat())
    complete(both)
    kept = {"WD-0001": current(crc_errors=1 << 63), "WD-0002": current(crc_errors=2)}
    monkeypatch.setattr(readings, "read_smart", lambda _, asked: kept[asked.serial])
    readings.read_all(simulated, both)
    found = [record_of(serial) for serial in kept]
    assert [one.reading and one.reading["crc_errors"] for one in found if one] == [None, 2]

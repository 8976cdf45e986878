"""How a disk is, and why."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from disks.verdict import heat, unwell, verdict
from host.inventory import BurnIn, SelfTest, SmartReading

WELL: dict[str, Any] = {
    "passed": True, "reallocated_sectors": 0, "pending_sectors": 0, "uncorrectable_sectors": 0,
    "crc_errors": 0,
}  # fmt: skip


def reading(**changes: Any) -> SmartReading:
    return SmartReading(**({"at": "2026-11-21T12:00:00Z"} | WELL | changes))


def earlier(**changes: Any) -> SmartReading:
    return reading(at="2026-11-15T12:00:00Z", **changes)


def codes(now: SmartReading, before: SmartReading | None = None) -> tuple[str, list[str]]:
    found = verdict(now, before)
    return found.level, [reason.code for reason in found.reasons]


def test_a_disk_that_counts_nothing_bad_is_good() -> None:
    assert codes(reading(), earlier()) == ("good", [])


def test_a_disk_that_tells_nothing_is_unknown_and_not_good() -> None:
    assert codes(SmartReading(at="2026-11-21T12:00:00Z", supported=False)) == ("unknown", [])


def test_what_the_disk_says_itself_comes_first() -> None:
    found = verdict(reading(passed=False, crc_errors=4), earlier())
    assert found.level == "failing"
    assert [reason.code for reason in found.reasons] == ["failing-by-itself", "crc-growing"]


@pytest.mark.parametrize("counter", ["reallocated", "pending", "uncorrectable"])
def test_any_bad_sector_is_a_warning_and_growth_is_the_end(counter: str) -> None:
    field = f"{counter}_sectors"
    assert codes(reading(**{field: 8})) == ("warning", [counter])
    assert codes(reading(**{field: 8}), earlier(**{field: 8})) == ("warning", [counter])
    assert codes(reading(**{field: 9}), earlier(**{field: 8})) == ("failing", [f"{counter}-growing"])
    assert codes(reading(**{field: 0}), earlier(**{field: 8})) == ("good", [])


def test_pending_sectors_say_to_replace_the_disk() -> None:
    (reason,) = verdict(reading(pending_sectors=1), None).reasons
    assert (reason.words, reason.advice[:16]) == ("1 pending sector", "Replace the disk")


def test_crc_errors_that_grow_point_at_the_cable() -> None:
    (reason,) = verdict(reading(crc_errors=1012), earlier(crc_errors=1000)).reasons
    assert reason.words == "12 CRC errors since 2026-11-15, 1012 in all"
    assert "cable" in reason.advice and reason.level == "warning"


def test_crc_errors_that_grow_no_longer_warn_no_longer() -> None:
    assert codes(reading(crc_errors=1012), earlier(crc_errors=1012)) == ("good", [])
    assert codes(reading(crc_errors=1012)) == ("good", [])


def test_a_failed_self_test_fails_the_disk_until_one_passes() -> None:
    failed = SelfTest(kind="long", result="failed", words="Completed: read failure", at_hours=9)
    passed = SelfTest(kind="short", result="passed", words="Completed without error", at_hours=10)
    aborted = SelfTest(kind="long", result="aborted", words="Aborted by host", at_hours=11)
    assert codes(reading(tests=(aborted, failed, passed)))[0] == "failing"
    assert codes(reading(tests=(aborted, passed, failed)))[0] == "failing"  # a short one reads only a sample
    whole = msgspec.structs.replace(passed, kind="long")
    assert codes(reading(tests=(aborted, passed, whole, failed)))[0] == "good"
    first = SelfTest(kind="short", result="failed", words="Completed: read failure", first_error_lba=77)
    assert codes(reading(tests=(passed, first)))[0] == "good"
    (reason,) = verdict(reading(tests=(first, whole)), None).reasons
    assert reason.words == "The last self-test failed: Completed: read failure; first error at sector 77"


def test_a_disk_warmer_than_its_own_limit_is_no_worse_a_disk() -> None:
    warm = reading(temperature_celsius=61, hottest_celsius=60)
    assert codes(warm) == ("good", []) and [one.code for one in heat(warm)] == ["too-warm"]
    assert heat(reading(temperature_celsius=60, hottest_celsius=60)) == ()
    assert heat(reading(temperature_celsius=61)) == ()


def test_spare_blocks_are_judged_by_the_threshold_of_the_disk() -> None:
    assert codes(reading(spare_percent=20, spare_least_percent=25)) == ("warning", ["spare-low"])
    assert codes(reading(spare_percent=20, spare_least_percent=10)) == ("good", [])
    assert codes(reading(spare_percent=10, spare_least_percent=5)) == ("warning", ["spare-low"])


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("wear_percent", 89, ("good", [])),
        ("wear_percent", 90, ("warning", ["worn"])),
        ("wear_percent", 130, ("warning", ["worn"])),
        ("spare_percent", 11, ("good", [])),
        ("spare_percent", 10, ("warning", ["spare-low"])),
    ],
)
def test_flash_wears_out(field: str, value: int, expected: tuple[str, list[str]]) -> None:
    assert codes(reading(**{field: value})) == expected


def test_a_counter_that_was_not_told_before_has_not_grown() -> None:
    assert codes(reading(reallocated_sectors=3), earlier(reallocated_sectors=None))[0] == "warning"


def burnt(verdict: Any, words: str = "") -> BurnIn:
    at = "2026-11-20T12:00:00Z"
    return BurnIn(
        serial="X", phase="done", percent=100, started_at=at, updated_at=at, verdict=verdict, words=words
    )


def test_counts_failed_tests_and_a_failed_burn_in_speak_against_new_data() -> None:
    failed = SelfTest(kind="long", result="failed", words="read failure")
    sick = reading(pending_sectors=8, uncorrectable_sectors=2, passed=False, tests=(failed,))
    assert unwell(sick, None, burnt("failed", "3 blocks differ")) == (
        "The disk reports that it is failing",
        "The last self-test failed: read failure",
        "8 pending sectors",
        "2 uncorrectable sectors",
        "The burn-in failed: 3 blocks differ",
    )
    assert unwell(reading(reallocated_sectors=1), None, None) == ("1 reallocated sector",)
    assert unwell(None, None, burnt("failed")) == ("The burn-in failed",)


def test_a_cable_a_good_burn_in_and_silence_do_not() -> None:
    assert unwell(reading(crc_errors=9), earlier(crc_errors=1), burnt("passed")) == ()
    assert unwell(None, None, burnt("stopped")) == ()
    assert unwell(None, None, None) == ()

"""What is held against a disk, and what is only remarked."""

from __future__ import annotations

import pytest

from host.inventory import SmartReading, Throughput
from host.programs.burn_in_verdict import counters, differences, slowness
from host.programs.passes import Differences
from tests.host.programs.bench import MIB, reading

STRETCH = 1000 * MIB


def curve(
    *slow: int, count: int = 200, speed: int = 150 * MIB, slowed: int = 20 * MIB
) -> tuple[Throughput, ...]:
    return tuple(
        Throughput(offset_bytes=index * STRETCH, bytes_per_second=slowed if index in slow else speed)
        for index in range(count)
    )


def test_equal_counters_are_no_fault() -> None:
    same = reading(reallocated_sectors=5, crc_errors=7)
    assert counters(same, same) == ((), ())


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("reallocated_sectors", "The disk replaced sectors by spare ones: 1 before, 3 after."),
        ("pending_sectors", "The disk has sectors that it cannot read: 1 before, 3 after."),
        ("uncorrectable_sectors", "The disk met errors that it could not correct: 1 before, 3 after."),
    ],
)
def test_a_counter_that_grew_is_the_disks_fault(field: str, words: str) -> None:
    assert counters(reading(**{field: 1}), reading(**{field: 3})) == ((words,), ())


def test_a_sector_that_stays_unreadable_after_it_was_written_is_a_fault() -> None:
    (fault,) = counters(reading(pending_sectors=2), reading(pending_sectors=1)).faults
    assert fault == "The disk still has 1 sectors that it cannot read."


def test_damaged_transfers_are_the_cables_fault() -> None:
    faults, (remark,) = counters(reading(crc_errors=2), reading(crc_errors=14))
    assert faults == ()
    assert remark.startswith("12 transfers arrived damaged")


def test_a_disk_that_says_it_fails_does() -> None:
    assert counters(reading(passed=True), reading(passed=False)).faults == (
        "The disk reports that it is failing.",
    )


@pytest.mark.parametrize("missing", [None, SmartReading(at="x", supported=False)])
def test_what_is_not_reported_is_not_held_against_it(missing: SmartReading | None) -> None:
    assert counters(missing, reading(reallocated_sectors=9)).faults == ()
    assert counters(reading(), missing).faults == ()


def test_a_misplaced_block_is_explained() -> None:
    (fault,) = differences(Differences(blocks=1, first=[1 << 30], misplaced=(1 << 30, 3 << 30))).faults
    assert fault == (
        "1 block of 4 KiB read back differently than written, "
        "first at byte 1073741824 (1.0 GiB from the start). "
        "At byte 1073741824 (1.0 GiB from the start) lies "
        "what was written to byte 3221225472 (3.0 GiB from the start)."
    )
    assert differences(Differences()) == ((), ())


def test_a_stretch_that_is_slow_in_both_passes_is_a_fault() -> None:
    faults, remarks = slowness(curve(40), curve(40))
    assert remarks == ()
    assert faults[0].startswith(f"It is far slower than around there at byte {40 * STRETCH} (")


def test_a_stretch_that_is_slow_once_is_a_remark() -> None:
    faults, remarks = slowness(curve(40), curve(90))
    assert faults == ()
    assert remarks[0].startswith("One of the two passes was slow at byte")


def test_many_slow_stretches_are_not_all_named() -> None:
    (fault,) = slowness(curve(20, 60, 100, 140, 180), curve(20, 60, 100, 140, 180)).faults
    assert fault.endswith("and 2 more places.")


def test_the_slope_from_outer_to_inner_tracks_is_no_fault() -> None:
    slope = tuple(
        Throughput(offset_bytes=index * STRETCH, bytes_per_second=(180 - index * 9 // 20) * MIB)
        for index in range(200)
    )
    assert slowness(slope, slope) == ((), ())


def test_short_stretches_and_short_curves_say_nothing() -> None:
    fast = curve(40, speed=9000 * MIB, slowed=1001 * MIB)
    assert slowness(fast, fast) == ((), ())
    assert slowness(curve(3, count=9), curve(3, count=9)) == ((), ())

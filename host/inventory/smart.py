"""What a disk says of itself through SMART."""

from __future__ import annotations

from typing import Literal

import msgspec

# `auto` lets smartctl find out how to talk to the disk; `sat` is for USB bridges that it does not know.
Bridge = Literal["auto", "sat"]
TestResult = Literal["passed", "failed", "aborted", "interrupted", "running", "unknown"]


class SelfTest(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the self-test log. `at_hours` counts power-on hours, as the disk does."""

    kind: Literal["short", "long", "other"]
    result: TestResult
    words: str  # the disk's own words
    at_hours: int | None = None
    first_error_lba: int | None = None


class SmartReading(msgspec.Struct, frozen=True, kw_only=True):
    """One reading. What the disk does not report is None: unknown stays unknown, and 0 is a count.

    `asleep` means that the disk was in standby and was left alone: then everything else is None.
    """

    at: str  # ISO 8601, UTC
    asleep: bool = False
    bridge: Bridge = "auto"  # the device type that smartctl needed for it
    supported: bool | None = None  # False where the disk, or the bridge before it, has no SMART
    passed: bool | None = None  # the disk's own overall verdict
    temperature_celsius: int | None = None
    hottest_celsius: int | None = None  # the most that its maker allows while it works
    power_on_hours: int | None = None
    power_cycles: int | None = None
    rpm: int | None = None  # 0: solid state
    reallocated_sectors: int | None = None  # ATA 5; SAS grown defects
    pending_sectors: int | None = None  # ATA 197
    uncorrectable_sectors: int | None = None  # ATA 198; SAS and NVMe uncorrected errors
    crc_errors: int | None = None  # ATA 199: between disk and controller, so cable or backplane
    wear_percent: int | None = None  # of the rated endurance used; may exceed 100
    spare_percent: int | None = None  # of solid-state disks: spare blocks left
    spare_least_percent: int | None = None  # below which it calls itself worn out
    written_bytes: int | None = None
    link_mbit: int | None = None  # the speed of its link now: SATA and SAS
    link_most_mbit: int | None = None  # the most that the disk could do
    self_tests: bool | None = None  # whether it has any; None where it does not say
    test_remaining_percent: int | None = None  # of the self-test that runs now; None when none runs
    short_test_minutes: int | None = None  # what the disk says it takes
    long_test_minutes: int | None = None
    tests: tuple[SelfTest, ...] = ()  # newest first
    error_count: int | None = None  # entries ever in the disk's error log
    messages: tuple[str, ...] = ()  # smartctl's own errors, such as an unknown USB bridge

    @property
    def testing(self) -> bool:
        """Whether a self-test runs now. SAS disks do not say how much of it remains."""
        return self.test_remaining_percent is not None or any(test.result == "running" for test in self.tests)

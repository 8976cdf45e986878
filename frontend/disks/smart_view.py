"""What SMART told, in words for people: figures with what they mean, and the log of self-tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from frontend.states import StateView, Tone, tone_view
from frontend.units import binary, grouped, roughly, worn
from host.inventory import SelfTest, SmartReading


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of the disk with its meaning; figures that nobody told are left out."""

    name: str
    value: str
    means: str


class TestRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the self-test log."""

    kind: str
    state: StateView
    words: str
    when: str


class TestChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A self-test that can be started, with the disk's own estimate."""

    kind: Literal["short", "long"]
    takes: str
    does: str


_LEVELS: dict[str, tuple[Tone, str]] = {
    "good": ("good", "healthy"),
    "warning": ("warn", "warning"),
    "failing": ("bad", "failing"),
    "unknown": ("idle", "unknown"),
}
_RESULTS: dict[str, tuple[Tone, str]] = {
    "passed": ("good", "passed"),
    "failed": ("bad", "failed"),
    "aborted": ("warn", "aborted"),
    "interrupted": ("warn", "interrupted"),
    "running": ("busy", "running"),
    "unknown": ("idle", "unknown"),
}
_COUNTS = (
    (
        "reallocated_sectors", "Reallocated sectors",
        "Failed and were replaced from the reserve. More every week is the beginning of the end.",
    ),
    (
        "pending_sectors", "Pending sectors",
        "Could not be read, and are not replaced yet. A pool with redundancy has their content elsewhere.",
    ),
    (
        "uncorrectable_sectors", "Uncorrectable sectors",
        "Reads that failed for good, even with the disk's own correction.",
    ),
    (
        "crc_errors", "Transfer errors (CRC)",
        "Garbled between disk and controller: cable, connector or backplane. The count never goes back.",
    ),
    ("error_count", "Entries in its error log", "All errors it ever wrote down."),
    ("power_cycles", "Power cycles", "How often it was switched on."),
)  # fmt: skip


def health_state(level: str) -> StateView:
    """A verdict's level as a state."""
    return tone_view(*_LEVELS.get(level, _LEVELS["unknown"]))


def figures(reading: SmartReading) -> tuple[Figure, ...]:
    """What the disk told, the ordinary before the worrying."""
    return tuple(_figures(reading))


def test_rows(reading: SmartReading) -> tuple[TestRow, ...]:
    """The self-test log, newest first."""
    return tuple(_test(test, reading.power_on_hours) for test in reading.tests)


def test_choices(reading: SmartReading) -> tuple[TestChoice, ...]:
    """Both self-tests, with how long the disk says that they take."""
    return (
        TestChoice(
            kind="short", takes=_takes(reading.short_test_minutes), does="electronics, heads and a sample"
        ),
        TestChoice(kind="long", takes=_takes(reading.long_test_minutes), does="reads the whole surface"),
    )


def _figures(reading: SmartReading) -> Iterator[Figure]:
    if reading.power_on_hours is not None:
        hours = reading.power_on_hours
        means = f"{grouped(hours)} hours. Failures grow more likely after four to five years."
        yield Figure(name="Under power", value=worn(hours), means=means)
    if reading.written_bytes is not None:
        means = "All that was ever written to it."
        yield Figure(name="Written", value=binary(reading.written_bytes), means=means)
    if reading.wear_percent is not None:
        means = "Of the writes that its maker rated it for. Past 100 % it lives on borrowed time."
        yield Figure(name="Wear", value=f"{reading.wear_percent} %", means=means)
    if reading.spare_percent is not None:
        means = "Blocks left to stand in for worn ones."
        yield Figure(name="Spare blocks", value=f"{reading.spare_percent} %", means=means)
    for field, name, means in _COUNTS:
        count = getattr(reading, field)
        if count is not None:
            yield Figure(name=name, value=grouped(count), means=means)


def _test(test: SelfTest, now_hours: int | None) -> TestRow:
    when = ""
    if test.at_hours is not None:
        when = f"at {grouped(test.at_hours)} h"
        # The log counts power-on hours in 16 bits on many disks; a count beyond now says nothing.
        if now_hours is not None and 0 <= now_hours - test.at_hours < 1 << 16:
            when += f", {worn(now_hours - test.at_hours)} under power ago"
    words = test.words
    if test.first_error_lba is not None:
        words += f"; first error at sector {grouped(test.first_error_lba)}"
    kind = {"short": "Short", "long": "Long"}.get(test.kind, "Other")
    return TestRow(kind=kind, state=tone_view(*_RESULTS[test.result]), words=words, when=when)


def _takes(minutes: int | None) -> str:
    if minutes is None:
        return "takes as long as it takes"
    return roughly(60 * minutes).replace("≈", "about")

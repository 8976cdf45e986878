"""What SMART reported, in words for people: figures with what they mean, and the log of self-tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from disks.trends import WearOut
from frontend.curve import Curve, sparkline
from frontend.states import StateView, Tone, tone_view
from frontend.units import binary, moment, roughly, worn
from host.inventory import SelfTest, SmartReading
from jobs.wording import counted, grouped


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of the disk with its meaning; figures that the disk does not report are left out."""

    name: str
    value: str
    means: str
    share: int | None = None  # of 100, where the figure is one


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """A counter of errors: what it is at, and how it moved since the readings of the last week."""

    name: str
    value: str
    means: str
    change: str = ""  # empty where there is no older reading
    grew: bool = False
    curve: Curve | None = None


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


_DAY_S = 86_400
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
_COUNTERS = (
    (
        "reallocated_sectors", "Reallocated sectors",
        "Bad sectors the disk has replaced with spares. A growing count predicts failure.",
    ),
    (
        "pending_sectors", "Current pending sectors",
        "Could not be read and are not reallocated yet. A pool with redundancy has another copy.",
    ),
    (
        "uncorrectable_sectors", "Uncorrectable sectors",
        "Reads that failed for good, even with the disk's own error correction.",
    ),
    (
        "crc_errors", "Interface CRC errors",
        "Damaged on the way to the controller: cable, connector or backplane. Never decreases.",
    ),
    ("error_count", "Error log entries", "All errors the disk has ever logged."),
)  # fmt: skip


def health_state(level: str) -> StateView:
    """A verdict's level as a state."""
    return tone_view(*_LEVELS.get(level, _LEVELS["unknown"]))


def life(reading: SmartReading, end: WearOut | None = None) -> tuple[Figure, ...]:
    """How much of its life the disk has had, and until when it lasts where that is known."""
    return tuple(_life(reading, end))


def counters(reading: SmartReading, earlier: Sequence[SmartReading] = ()) -> tuple[Counter, ...]:
    """The counters of errors, with how they moved since `earlier`, oldest first."""
    found = (_counter(reading, earlier, *row) for row in _COUNTERS)
    return tuple(one for one in found if one is not None)


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


def _life(reading: SmartReading, end: WearOut | None) -> Iterator[Figure]:
    if reading.power_on_hours is not None:
        hours = reading.power_on_hours
        means = f"{grouped(hours)} hours. Failures become more likely after four to five years."
        yield Figure(name="Power-on time", value=worn(hours), means=means)
    if reading.written_bytes is not None:
        means = "Over its lifetime."
        yield Figure(name="Data written", value=binary(reading.written_bytes), means=means)
    if reading.wear_percent is not None:
        means = "Of the rated endurance. Above 100 % it is past the manufacturer's rating."
        if end is not None:
            means += f" At the pace so far all of it is used about {end.day:%B %Y}."
        value = f"{reading.wear_percent} %"
        yield Figure(name="Wear", value=value, means=means, share=min(100, reading.wear_percent))
    if reading.spare_percent is not None:
        means = "Spare blocks left to replace worn ones."
        value = f"{reading.spare_percent} %"
        yield Figure(name="Available spare", value=value, means=means, share=reading.spare_percent)
    if reading.power_cycles is not None:
        yield Figure(
            name="Power cycles", value=grouped(reading.power_cycles), means="How often it was powered on."
        )


def _counter(
    reading: SmartReading, earlier: Sequence[SmartReading], field: str, name: str, means: str
) -> Counter | None:
    count = getattr(reading, field)
    if count is None:
        return None
    reported = [(one.at, was) for one in earlier if (was := getattr(one, field)) is not None]
    if not reported:
        return Counter(name=name, value=grouped(count), means=means)
    first, was = _time(reported[0][0]), reported[0][1]
    days = max(1, round((_time(reading.at) - first) / _DAY_S))
    moved = f"{count - was:+d}" if count != was else "no change"
    points = [(_time(at), float(value)) for at, value in (*reported, (reading.at, count))]
    return Counter(
        name=name, value=grouped(count), means=means, grew=count > was,
        change=f"{moved} in {counted(days, 'day')}",
        curve=sparkline([at for at, _ in points], [value for _, value in points]) if count != was else None,
    )  # fmt: skip


def _time(text: str) -> float:
    found = moment(text)
    return found.timestamp() if found else 0.0


def _test(test: SelfTest, now_hours: int | None) -> TestRow:
    when = ""
    if test.at_hours is not None:
        when = f"at {grouped(test.at_hours)} h"
        # The log counts power-on hours in 16 bits on many disks; a count beyond now says nothing.
        if now_hours is not None and 0 <= now_hours - test.at_hours < 1 << 16:
            when += f", {worn(now_hours - test.at_hours)} ago in power-on time"
    words = test.words
    if test.first_error_lba is not None:
        words += f"; first error at sector {grouped(test.first_error_lba)}"
    kind = {"short": "Short", "long": "Long"}.get(test.kind, "Other")
    return TestRow(kind=kind, state=tone_view(*_RESULTS[test.result]), words=words, when=when)


def _takes(minutes: int | None) -> str:
    if minutes is None:
        return "duration unknown"
    return roughly(60 * minutes).replace("≈", "about")

"""Everything that is known of one disk, as values for its page."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import msgspec

from disks import records
from disks.models import DiskEvent, DiskRecord
from disks.self_tests.overview import of_disk
from disks.smart import days
from disks.trends import LOOKED_BACK, Trend, trends, wears_out
from disks.verdict import Reason, heat, verdict
from frontend.bays.view import KNOWN_BY
from frontend.curve import Curve, sparkline, throughput
from frontend.disks.smart_view import (
    Counter,
    Figure,
    TestChoice,
    TestRow,
    counters,
    health_state,
    life,
    test_choices,
    test_rows,
)
from frontend.self_tests.view import DiskTestRow, row
from frontend.states import StateView
from frontend.units import rate
from host.inventory import BurnIn, Disk, Inventory, SmartReading
from jobs import series

_DAY = timedelta(days=1)
_SHOWN = 100  # entries of a history
_PHASES = {"self-test": "long self-test", "write": "writing", "verify": "reading back", "done": "done"}


class HealthView(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict with its reasons, and what it rests on."""

    state: StateView
    reasons: tuple[Reason, ...] = ()
    life: tuple[Figure, ...] = ()
    counters: tuple[Counter, ...] = ()
    trends: tuple[Trend, ...] = ()
    tests: tuple[TestRow, ...] = ()
    choices: tuple[TestChoice, ...] = ()
    read_at: str | None = None
    messages: tuple[str, ...] = ()
    unsupported: bool = False


class BurnInView(msgspec.Struct, frozen=True, kw_only=True):
    """A burn-in: how far it is, or how it ended."""

    burn_in: BurnIn
    running: bool
    phase: str
    writing: Curve | None
    reading: Curve | None
    fastest: str  # what the top of the curves means


class DiskBay(msgspec.Struct, frozen=True, kw_only=True):
    """Where a disk sits, and how that is known."""

    label: str
    group: str
    known: str
    guessed: bool
    fresh: bool
    doubt: str | None


def disk_bay(disk: Disk, inventory: Inventory) -> DiskBay | None:
    """The disk's bay; None where it is in none."""
    bay = next((bay for bay in inventory.bays if bay.disk == disk.id), None)
    if bay is None or bay.known_by is None:
        return None
    return DiskBay(
        label=bay.label, group=bay.group, known=KNOWN_BY[bay.known_by], guessed=bay.known_by == "order",
        fresh=bay.fresh, doubt=bay.doubt,
    )  # fmt: skip


def health(record: DiskRecord | None) -> HealthView:
    """What SMART reported last, judged."""
    reading = records.reading_of(record) if record else None
    if record is None or reading is None:
        return HealthView(state=health_state("unknown"), choices=test_choices(SmartReading(at="")))
    judged = verdict(reading, records.earlier_of(record))
    today = datetime.now(UTC).date()
    kept = days.until_now(days.days_of(record, today - days.KEPT), reading)
    lately = records.readings_before(record)
    first = lately[0].at if lately else reading.at
    before = tuple(
        older
        for one in kept[:-1]
        if one.day >= today - LOOKED_BACK and (older := days.as_reading(one)).at[:10] < first[:10]
    )
    return HealthView(
        state=health_state(judged.level), reasons=(*judged.reasons, *heat(reading)),
        life=life(reading, wears_out(kept, today)), counters=counters(reading, (*before, *lately)),
        trends=trends(kept, today),
        tests=test_rows(reading), choices=test_choices(reading), read_at=reading.at,
        messages=reading.messages, unsupported=reading.supported is False,
    )  # fmt: skip


def temperature(record: DiskRecord | None) -> Curve | None:
    """The last 24 hours."""
    if record is None:
        return None
    now = datetime.now(UTC)
    columns = series.read(temperature_name(record), now - _DAY, now)
    return sparkline(columns.times, columns.values)


def temperature_name(record: DiskRecord) -> str:
    """The name of the disk's temperatures among the time series."""
    return f"disk.temperature:{records.series_key(record)}"


def burn_in(record: DiskRecord | None) -> BurnInView | None:
    """The burn-in that runs, or the last one; None where there was none."""
    found = records.burn_in_of(record) if record else None
    if found is None:
        return None
    speeds = [point.bytes_per_second for point in (*found.writing, *found.reading)]
    fastest = max(speeds, default=0)
    return BurnInView(
        burn_in=found, running=found.verdict is None, phase=_PHASES[found.phase],
        writing=throughput(found.writing, size_bytes=found.size_bytes, fastest=fastest),
        reading=throughput(found.reading, size_bytes=found.size_bytes, fastest=fastest),
        fastest=rate(fastest) if fastest else "",
    )  # fmt: skip


def self_tests(disk: Disk, inventory: Inventory) -> DiskTestRow | None:
    """The self-tests on schedule; None for a disk that has none."""
    found = of_disk(disk, inventory, datetime.now(UTC))
    return row(found) if found and found.has_self_tests else None


class History(NamedTuple):
    """What happened to a disk last, newest first, of so many events in all."""

    newest: list[DiskEvent]
    total: int


def history(record: DiskRecord | None) -> History:
    """What its page shows: a disk whose link is bad has hundreds of events."""
    return History(records.history_of(record, _SHOWN), record.events.count()) if record else History([], 0)


def warranty_words(until: date | None) -> str:
    """How long the warranty lasts: `until 2027-03-01, 99 days left`."""
    if until is None:
        return ""
    left = (until - datetime.now(UTC).date()).days
    if left < 0:
        return f"ended {until:%Y-%m-%d}"
    return f"until {until:%Y-%m-%d}, {left} day{'' if left == 1 else 's'} left"

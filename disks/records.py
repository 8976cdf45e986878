"""Reads what is remembered of disks. `disks.history` writes it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec
from django.db.models import Count

from disks.models import DiskEvent, DiskRecord
from host import typed
from host.inventory import Absent, BurnIn, SmartReading


def all_records(*, gone: bool | None = None) -> list[DiskRecord]:
    """Every disk ever seen, oldest first; with `gone` only those that left, or only those that are here."""
    records = DiskRecord.objects.all()
    if gone is not None:
        records = records.filter(gone_since__isnull=not gone)
    return list(records)


def record_of(serial_or_id: str) -> DiskRecord | None:
    """The disk of that by-id name or serial. Of several, one that is here, then the one seen last.

    Twins share their serial: only the by-id name tells which of them is meant.
    """
    for field in ("last_id", "serial"):
        found = list(DiskRecord.objects.filter(**{field: serial_or_id}))
        if found:
            return max(found, key=lambda record: (record.gone_since is None, record.last_seen))
    return None


def history_of(record: DiskRecord, most: int | None = None) -> list[DiskEvent]:
    """What happened to a disk, newest first; no more than `most` of it."""
    return list(record.events.all()[:most])


def reading_of(record: DiskRecord) -> SmartReading | None:
    """Its last SMART reading; None before the first."""
    return None if record.reading is None else typed.convert(record.reading, SmartReading)


def earlier_of(record: DiskRecord) -> SmartReading | None:
    """The reading that the last one is compared with: up to a week older."""
    return typed.convert(record.earlier[0], SmartReading) if record.earlier else None


def readings_before(record: DiskRecord) -> tuple[SmartReading, ...]:
    """The readings of the last week, a day apart, oldest first; the last one is not among them."""
    kept = tuple(typed.convert(one, SmartReading) for one in record.earlier)
    last = reading_of(record)
    return tuple(one for one in kept if last is None or one.at < last.at)


def burn_in_of(record: DiskRecord) -> BurnIn | None:
    """Its burn-in, running or finished; None where there was none."""
    return None if record.burn_in is None else typed.convert(record.burn_in, BurnIn)


def all_absent(records: Iterable[DiskRecord]) -> tuple[Absent, ...]:
    """What is said of those of `records` that left, with how much would be lost by forgetting them."""
    gone = [record for record in records if record.gone_since is not None]
    if not gone:
        return ()
    counted = DiskEvent.objects.filter(record__in=gone).order_by().values_list("record")
    events = dict(counted.annotate(Count("pk")))
    return tuple(msgspec.structs.replace(absent(record), events=events.get(record.pk, 0)) for record in gone)


def absent(record: DiskRecord) -> Absent:
    """What is said of a disk that left; its events are not counted."""
    return Absent(
        id=record.last_id,
        serial=record.serial,
        model=record.model,
        since=iso(record.gone_since or record.last_seen),
        bay=record.last_bay or None,
        noted=bool(record.note or record.purchased or record.warranty_until),
    )


def series_key(record: DiskRecord) -> str:
    """What the names of a disk's time series end in: its serial, where that is its own."""
    return record.key if record.serial is None or "@" in record.key else record.serial


def iso(moment: datetime) -> str:
    """ISO 8601, UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

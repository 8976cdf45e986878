"""What a disk counted, day by day: one small row a day, kept for two years."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.utils import timezone

from disks.models import DiskDay, DiskRecord
from host.inventory import SmartReading

KEPT = timedelta(days=731)
# Column of `DiskDay` and field of `SmartReading`.
FIELDS = (
    ("reallocated", "reallocated_sectors"),
    ("pending", "pending_sectors"),
    ("uncorrectable", "uncorrectable_sectors"),
    ("crc", "crc_errors"),
    ("wear", "wear_percent"),
    ("spare", "spare_percent"),
)


def keep(record: DiskRecord, reading: SmartReading) -> None:
    """The first reading of each day; `record.counted_on` remembers it. Rows of days that have yet to come
    were written while the clock was wrong, and go."""
    day = datetime.fromisoformat(reading.at).date()
    values = {column: getattr(reading, field) for column, field in FIELDS}
    if record.counted_on == day or all(value is None for value in values.values()):
        return
    DiskDay.objects.update_or_create(record=record, day=day, defaults=values)
    record.days.filter(day__lt=day - KEPT).delete()
    record.days.filter(day__gt=timezone.now().date() + timedelta(days=1)).delete()
    record.counted_on = day


def days_of(record: DiskRecord, since: date) -> tuple[DiskDay, ...]:
    """Oldest first."""
    return tuple(record.days.filter(day__gte=since, day__lte=timezone.now().date()))

"""What a disk counted, day by day: one small row a day, kept for two years."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from disks.models import DiskDay, DiskRecord
from disks.trends import LOOKED_BACK, Counted, counted_on
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
_COLUMNS = tuple(column for column, _ in FIELDS)


def keep(record: DiskRecord, reading: SmartReading) -> None:
    """The first reading of each day; `record.counted_on` remembers it. The oldest rows go by their number and
    not by their date: a clock that is wrong for an hour must not end what years have counted."""
    day = datetime.fromisoformat(reading.at).date()
    values = {column: getattr(reading, field) for column, field in FIELDS}
    if record.counted_on == day or all(value is None for value in values.values()):
        return
    DiskDay.objects.update_or_create(record=record, day=day, defaults=values)
    kept = record.days.order_by("-day").values_list("pk", flat=True)
    record.days.filter(pk__in=list(kept[KEPT.days :])).delete()
    record.counted_on = day


def days_of(record: DiskRecord, since: date) -> tuple[Counted, ...]:
    """Oldest first, without days that have yet to come: those were written while the clock was wrong."""
    rows = record.days.filter(day__gte=since, day__lte=timezone.now().date())
    return tuple(Counted(**one) for one in rows.values("day", *_COLUMNS))


def counted(today: date) -> dict[int, tuple[Counted, ...]]:
    """Of all disks, by the number of the record: each of the last `LOOKED_BACK` days, and before that the
    Sundays of SSDs, for their wear."""
    lately = Q(day__gte=today - LOOKED_BACK)
    worn = Q(wear__isnull=False, day__week_day=1)
    rows = DiskDay.objects.filter(lately | worn, day__lte=today).order_by("day")
    found: dict[int, list[Counted]] = {}
    for one in rows.values("record_id", "day", *_COLUMNS):
        found.setdefault(one.pop("record_id"), []).append(Counted(**one))
    return {record: tuple(days) for record, days in found.items()}


def as_reading(one: Counted) -> SmartReading:
    """What was counted on a day as a reading of that day, in UTC."""
    values = {field: getattr(one, column) for column, field in FIELDS}
    return SmartReading(at=f"{one.day}T00:00:00+00:00", **values)


def until_now(days: tuple[Counted, ...], reading: SmartReading | None) -> tuple[Counted, ...]:
    """With what the disk counts now as the last."""
    if reading is None:
        return days
    return (*days, counted_on(reading, datetime.fromisoformat(reading.at).date()))

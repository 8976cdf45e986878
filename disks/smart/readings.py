"""Keeps what disks say of themselves: the last reading, what is new in it, and temperatures over time."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import msgspec
import structlog
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from disks.history import record_event
from disks.identity import recognise
from disks.models import DiskRecord
from disks.records import all_records, earlier_of, reading_of, series_key
from disks.smart import days, log
from disks.verdict import DiskVerdict, verdict
from host import typed
from host.base import Host, HostError
from host.inventory import Disk, Inventory, SmartReading
from host.probe.disks.smart import read_smart
from jobs import series

_log = structlog.get_logger("smart")
_AT_ONCE = 4  # a controller answers few of these at a time, and a failing disk may take a minute
_APART, _MOST_EARLIER = timedelta(days=1), 7


def read_all(host: Host, inventory: Inventory) -> None:
    """Read every disk that is awake."""
    _read(host, recognise(inventory.disks, all_records(gone=False)), inventory)


def read_some(host: Host, inventory: Inventory, numbers: Iterable[int]) -> None:
    """Read the disks of these records."""
    wanted = list(DiskRecord.objects.filter(pk__in=numbers, gone_since=None))
    _read(host, recognise(inventory.disks, wanted), inventory)


def expecting() -> list[int]:
    """Records of disks that were never asked, or that test themselves: those should be looked at soon."""
    here = DiskRecord.objects.filter(gone_since=None).values_list("pk", "asked_at", "reading")
    return [
        pk
        for pk, asked_at, reading in here
        if asked_at is None or (reading is not None and typed.convert(reading, SmartReading).testing)
    ]


def _read(host: Host, records: dict[str, DiskRecord], inventory: Inventory) -> None:
    asked = [disk for disk in inventory.disks if disk.id in records]

    def ask(disk: Disk) -> SmartReading | None:
        try:
            return read_smart(host, disk)
        except HostError as error:
            _log.warning("no SMART reading", disk=disk.id, error=str(error))
            return None

    with ThreadPoolExecutor(_AT_ONCE) as together:
        readings = list(together.map(ask, asked))
    points = []
    with transaction.atomic():  # all at once: each transaction is written to a flash drive by itself
        for disk, reading in zip(asked, readings, strict=True):
            if reading is not None:
                record = records[disk.id]
                _remember_alone(record, reading)
                if reading.temperature_celsius is not None:
                    name = f"disk.temperature:{series_key(record)}"
                    time = int(datetime.fromisoformat(reading.at).timestamp())
                    points.append(series.Point(name, time, reading.temperature_celsius))
    series.record(points)


def _remember_alone(record: DiskRecord, reading: SmartReading) -> None:
    try:
        remember(record, reading)
    except (DataError, IntegrityError, OverflowError, TypeError, ValueError):  # of what this disk says alone
        _log.exception("a SMART reading cannot be kept", disk=record.last_id)


@transaction.atomic
def remember(record: DiskRecord, reading: SmartReading) -> None:
    """Keep `reading`, and tell what is new in it in the disk's story."""
    record.asked_at = timezone.now()
    record.asleep = reading.asleep
    if reading.asleep or (record.reading is not None and _says_nothing(reading)):
        record.save(update_fields=["asked_at", "asleep"])
        return
    judged = verdict(reading, earlier_of(record))
    log.follow(record, reading_of(record), reading)
    _record_verdict(record, judged)
    days.keep(record, reading)
    record.verdict = judged.level
    record.earlier = _earlier(record.earlier, reading)
    record.reading = msgspec.to_builtins(reading)
    record.save(update_fields=["asked_at", "asleep", "verdict", "earlier", "reading", "tested", "counted_on"])


def _says_nothing(reading: SmartReading) -> bool:
    """A disk that did not answer in time must not take away what it said before."""
    report = (reading.supported, reading.passed, reading.temperature_celsius, reading.power_on_hours)
    return all(value is None for value in report)


def _earlier(kept: list[dict[str, object]], reading: SmartReading) -> list[dict[str, object]]:
    at = datetime.fromisoformat(reading.at)
    # What a clock that was ahead dated would be “a week before” for as long as it was.
    kept = [one for one in kept if datetime.fromisoformat(typed.convert(one, SmartReading).at) <= at]
    if kept and at - datetime.fromisoformat(typed.convert(kept[-1], SmartReading).at) < _APART:
        return kept
    short = msgspec.structs.replace(reading, tests=(), messages=())
    return [*kept, msgspec.to_builtins(short)][-_MOST_EARLIER:]


def _record_verdict(record: DiskRecord, judged: DiskVerdict) -> None:
    if judged.level == record.verdict or (record.verdict == "unknown" and judged.level == "good"):
        return
    said = "; ".join(reason.words for reason in judged.reasons)
    record_event(record, "verdict", f"Health is now {judged.level}{f': {said}' if said else ''}")

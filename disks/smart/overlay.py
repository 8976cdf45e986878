"""Lays the last readings over the disks of a fresh inventory."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from disks.models import DiskRecord
from disks.records import burn_in_of, earlier_of, iso, reading_of
from disks.verdict import unwell
from host.inventory import Disk, Inventory

STALE = timedelta(minutes=15)  # a temperature older than this says nothing about now


def overlay(inventory: Inventory, records: Mapping[str, DiskRecord]) -> Inventory:
    """`inventory` with temperature, health, sleep, self-tests and lights, by the disk's id."""
    now = datetime.fromisoformat(inventory.as_of)
    disks = tuple(
        disk if (record := records.get(disk.id)) is None else _laid_over(disk, record, now)
        for disk in inventory.disks
    )
    return msgspec.structs.replace(inventory, disks=disks)


def _laid_over(disk: Disk, record: DiskRecord, now: datetime) -> Disk:
    until = None if record.located_until is None else iso(record.located_until)
    reading = reading_of(record)
    sick = unwell(reading, earlier_of(record), burn_in_of(record))
    disk = msgspec.structs.replace(disk, located_until=until, unwell=sick)
    asleep = record.asleep if record.asked_at and now - record.asked_at < STALE else None
    if reading is None:
        return msgspec.structs.replace(disk, asleep=asleep)
    current = not asleep and now - datetime.fromisoformat(reading.at) < STALE
    return msgspec.structs.replace(
        disk,
        temperature_celsius=reading.temperature_celsius if current else None,
        asleep=asleep,
        health=record.verdict,
        crc_errors=reading.crc_errors,
        bridge=reading.bridge,
        rpm=disk.rpm or reading.rpm or None,
        test_remaining_percent=reading.test_remaining_percent if current else None,
        short_test_minutes=reading.short_test_minutes,
        long_test_minutes=reading.long_test_minutes,
    )

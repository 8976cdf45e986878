"""Reads and writes when disks test themselves."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.utils import timezone

from disks.models import DiskRecord, SelfTestRow
from disks.self_tests.settings import KINDS, DiskSchedule, Kind, SelfTestSettings
from host import typed


def settings() -> SelfTestSettings:
    """The machine's; the usual ones until somebody changes them."""
    row = SelfTestRow.objects.filter(pk=1).first()
    return SelfTestSettings() if row is None else typed.convert(row.settings, SelfTestSettings)


def keep_settings(wanted: SelfTestSettings) -> None:
    """In place of what was there."""
    SelfTestRow.objects.update_or_create(
        pk=1, defaults={"settings": msgspec.to_builtins(wanted), "changed_at": timezone.now()}
    )


def schedule_of(record: DiskRecord) -> DiskSchedule:
    """What one disk has instead of the machine's settings."""
    return typed.convert(record.schedule, DiskSchedule)


def keep_schedule(record: DiskRecord, wanted: DiskSchedule) -> None:
    """In place of what was there."""
    DiskRecord.objects.filter(pk=record.pk).update(schedule=msgspec.to_builtins(wanted))


def keep_tried(record: DiskRecord, kind: Kind, now: datetime) -> None:
    """That a test was started on schedule."""
    DiskRecord.objects.filter(pk=record.pk).update(tried=record.tried | {kind: now.isoformat()})


def moments(stored: dict[str, str]) -> dict[Kind, datetime]:
    """Of `DiskRecord.tested` and `tried`."""
    return {kind: datetime.fromisoformat(stored[kind]) for kind in KINDS if kind in stored}

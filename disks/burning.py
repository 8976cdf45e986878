"""Follows burn-ins: what their units report is kept with the disk, and the end is told in its story."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from django.db import transaction

from disks.history import record_event
from disks.models import DiskRecord
from disks.records import burn_in_of
from host.base import Host
from host.inventory import BurnIn, Inventory
from host.probe.units import read_burn_in

_LOST = "It ended without a report."
_SOON = timedelta(minutes=10)


def follow(host: Host, inventory: Inventory) -> bool:
    """Take over the reports of all burn-ins that have not ended; True when one of them ended now.

    Raises `HostError` if the machine cannot be asked.
    """
    ended = False
    for record in DiskRecord.objects.filter(burn_in__isnull=False):
        before = burn_in_of(record)
        if before is not None and before.verdict is None:
            report = _current(before, read_burn_in(host, before.serial), inventory)
            _keep(record, report)
            ended |= report.verdict is not None
    return ended


def _current(before: BurnIn, report: BurnIn | None, inventory: Inventory) -> BurnIn:
    """The report; what was known `before` while there is none. A unit writes one before it says it is ready,
    so that of an earlier burn-in is never taken for the one that began."""
    begun = datetime.fromisoformat(before.started_at)
    if report is not None:
        return report
    if datetime.fromisoformat(inventory.as_of) - begun < _SOON:
        return before
    return msgspec.structs.replace(before, verdict="stopped", words=_LOST, finished_at=inventory.as_of)


@transaction.atomic
def _keep(record: DiskRecord, report: BurnIn) -> None:
    DiskRecord.objects.filter(pk=record.pk).update(burn_in=msgspec.to_builtins(report))
    if report.verdict is not None:
        why = f": {report.words}" if report.words else ""
        record_event(record, "burn-in", f"Burn-in {report.verdict}{why}")

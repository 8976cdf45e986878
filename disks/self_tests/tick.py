"""Once a minute: starts the self-tests that are due as ordinary jobs."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from disks.drives.smart_test import BY_ITSELF
from disks.identity import recognise
from disks.models import DiskRecord
from disks.records import all_records
from disks.self_tests import stored
from disks.self_tests.rules import Start, to_start, within
from disks.self_tests.settings import SelfTestSettings
from disks.self_tests.state import standings
from disks.smart import readings
from host.base import Host
from host.inventory import Inventory
from jobs import cache, engine, submission
from jobs.plan import Refused
from jobs.rights import Clockwork
from jobs.schedules.zone import usual_zone

OPERATION = "disk.smart-test"
_USER = Clockwork(BY_ITSELF, "disks:write")
_log = structlog.get_logger("self-tests")


def tick(host: Host, now: datetime) -> None:
    """Start what is due. What cannot begin now is looked at again at the next tick."""
    inventory, settings = cache.current(), stored.settings()
    if inventory is None or not within(settings, now, usual_zone(inventory)):
        return
    chosen = _chosen(inventory, settings, now)
    if not chosen:
        return
    # Whether a disk sleeps was asked up to some minutes ago. Asking again wakes none; starting a test would.
    asked = recognise(inventory.disks, all_records(gone=False))
    readings.read_some(host, inventory, [asked[start.disk].pk for start in chosen])
    if not engine.refresh(host) or (inventory := cache.current()) is None:
        return
    still = set(_chosen(inventory, settings, now))
    for start in chosen:
        if start in still:
            _submit(start, inventory, now)


def _chosen(inventory: Inventory, settings: SelfTestSettings, now: datetime) -> tuple[Start, ...]:
    known = [one.tested for one in standings(inventory, now)]
    return to_start(known, settings, now, usual_zone(inventory))


def _submit(start: Start, inventory: Inventory, now: datetime) -> None:
    """The job and the memory of it are written together, so that none is started twice."""
    disk = inventory.disk(start.disk)
    record = recognise(inventory.disks, all_records(gone=False)).get(start.disk)
    if disk is None or record is None:
        return
    request = {"disk": disk.id, "kind": start.kind} | ({"serial": disk.serial} if disk.serial else {})
    try:
        with transaction.atomic():
            record = DiskRecord.objects.get(pk=record.pk)
            key = f"self-test-{record.pk}-{start.kind}-{now:%Y%m%dT%H%MZ}"
            stored.keep_tried(record, start.kind, now)
            job = submission.submit(OPERATION, request, _USER, idempotency_key=key)
    except (Refused, submission.Busy) as problem:
        _log.info("waits", disk=start.disk, kind=start.kind, why=str(problem))
        return
    _log.info("submitted", disk=start.disk, kind=start.kind, job=job.pk)

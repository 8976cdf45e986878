"""Keeps what scrubs and resilvers found, from one inventory to the next."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from django.db.models import Max

from host.inventory import Inventory, Pool
from pools.models import ScanRecord

_ENDED = {"FINISHED", "CANCELED"}
_KEPT = {"SCRUB", "RESILVER"}


def complete(inventory: Inventory) -> Inventory:
    """`inventory` with the time of each pool's last complete scrub; scans that ended since are remembered."""
    ended = [record for pool in inventory.pools if (record := record_of(pool))]
    same_start = ScanRecord.objects.filter(started__in=[record.started for record in ended]).order_by()
    known = set(same_start.values_list("pool_guid", "function", "started")) if ended else set()
    fresh = [one for one in ended if (one.pool_guid, one.function, one.started) not in known]
    if fresh:
        ScanRecord.objects.bulk_create(fresh, ignore_conflicts=True)
    complete_ones = ScanRecord.objects.filter(function="SCRUB", state="FINISHED").order_by()
    scrubbed = dict(complete_ones.values_list("pool_guid").annotate(Max("finished")))
    return msgspec.structs.replace(
        inventory, pools=tuple(_with_last_scrub(pool, scrubbed.get(pool.guid)) for pool in inventory.pools)
    )


def record_of(pool: Pool) -> ScanRecord | None:
    """The pool's last scan, not stored; None unless it is one that has ended."""
    scan = pool.scan
    if scan is None or scan.state not in _ENDED or scan.function not in _KEPT:
        return None
    if scan.started is None or scan.finished is None:
        return None
    return ScanRecord(
        pool_guid=pool.guid,
        pool_name=pool.name,
        function=scan.function,
        state=scan.state,
        started=datetime.fromisoformat(scan.started),
        finished=datetime.fromisoformat(scan.finished),
        paused_s=scan.paused_s,
        total_bytes=scan.total_bytes,
        repaired_bytes=scan.repaired_bytes,
        errors=scan.errors,
        damaged_files=list(pool.damaged_files),
    )


def scans_of(pool_guid: str) -> list[ScanRecord]:
    """What is remembered of a pool, newest first."""
    return list(ScanRecord.objects.filter(pool_guid=pool_guid))


def _with_last_scrub(pool: Pool, at: datetime | None) -> Pool:
    if at is None:
        return pool
    return msgspec.structs.replace(pool, last_scrub=at.astimezone(UTC).isoformat(timespec="seconds"))

"""What the chassis shows of disks beside the inventory: hours under power, and traffic of late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from disks.models import DiskRecord
from disks.records import series_key
from frontend.bays.view import Vitals
from host.inventory import Inventory
from jobs import series

_LATE = timedelta(minutes=5)
_TRAFFIC = ("disk.read_bytes", "disk.write_bytes")


def vitals(inventory: Inventory) -> dict[str, Vitals]:
    """By `Disk.id`. One query for the hours, one for the traffic, however many disks there are."""
    records = DiskRecord.objects.filter(gone_since=None).only("key", "serial", "last_id")
    hours = dict(DiskRecord.objects.filter(gone_since=None).values_list("pk", "reading__power_on_hours"))
    keys = {record.last_id: (record.pk, series_key(record)) for record in records}
    newest = series.newest(_TRAFFIC, since=datetime.now(UTC) - _LATE)
    found: dict[str, Vitals] = {}
    for disk in inventory.disks:
        if disk.id in keys:
            pk, key = keys[disk.id]
            rates = [rate for name in _TRAFFIC if (rate := newest.get(f"{name}:{key}")) is not None]
            found[disk.id] = Vitals(
                hours=hours.get(pk), bytes_per_second=round(sum(rates)) if rates else None
            )
    return found

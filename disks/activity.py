"""How busy each disk is: bytes read and written a second, from the kernel's counters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from disks.identity import recognise
from disks.records import all_records, series_key
from host.inventory import Inventory
from host.probe.activity import Traffic
from jobs import series


class Sample(NamedTuple):
    """All counters at one time (seconds since 1970), by the kernel's name."""

    time: float
    counters: Mapping[str, Traffic]


def keep(before: Sample | None, now: Sample, inventory: Inventory) -> None:
    """Record the rates between two samples. A counter that went back belongs to another disk by now."""
    if before is None or now.time <= before.time:
        return
    seconds, time = now.time - before.time, int(now.time)
    points: list[series.Point] = []
    records = recognise(inventory.disks, all_records(gone=False))
    for disk in inventory.disks:
        name = disk.path.rpartition("/")[2]
        old, new = before.counters.get(name), now.counters.get(name)
        if disk.id not in records or old is None or new is None:
            continue
        read, written = new.read_bytes - old.read_bytes, new.written_bytes - old.written_bytes
        if read >= 0 and written >= 0:
            key = series_key(records[disk.id])
            points.append(series.Point(f"disk.read_bytes:{key}", time, round(read / seconds)))
            points.append(series.Point(f"disk.write_bytes:{key}", time, round(written / seconds)))
    series.record(points)

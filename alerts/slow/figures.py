"""What was measured of the last minutes, as the rules read it."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import fmean

import msgspec

from disks.identity import recognise
from disks.records import all_records, reading_of, series_key
from host.inventory import Inventory
from host.kernel.links import Link, read_nvme_links
from jobs import series
from jobs.series import Columns
from jobs.series.collecting import kernel_files
from pools.datasets.traffic import READ, WRITTEN

MINUTES = 5  # that the page looks back
_KINDS = ("reads", "writes", "read_ms", "write_ms", "read_bytes", "write_bytes", "busy_percent")  # of a disk
_MONTH, _OF_LATE = timedelta(days=30), timedelta(minutes=2)


class DiskLoad(msgspec.Struct, frozen=True, kw_only=True):
    """A disk in each of the last minutes, oldest first: the mean time of its requests in milliseconds (None
    where there were next to none), and over all of them its requests and bytes a second and utilisation."""

    ms: tuple[float | None, ...] = ()
    requests: float = 0.0
    bytes: float = 0.0
    busy_percent: float = 0.0


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. Links are by port: their speed now, and the highest of the last month, in Mbit/s."""

    disks: dict[str, DiskLoad] = {}  # by `Disk.id`
    links: dict[str, tuple[float, float]] = {}
    datasets: dict[str, tuple[float, float]] = {}  # by name: bytes a second read and written, of late
    disk_links: dict[str, Link] = {}  # by `Disk.id`
    demand_hit_percent: float | None = None  # of ZFS's cache, over the last hour
    ghost_hits: float | None = None  # a second, over the last hour


def gather(inventory: Inventory, now: datetime) -> Figures:
    """From the series, of what `inventory` has."""
    hour = timedelta(hours=1)
    return Figures(
        disks=loads(inventory, now, MINUTES),
        links={
            port.name: speeds for port in inventory.network.interfaces if (speeds := _link(port.name, now))
        },
        datasets=traffic(inventory, now),
        disk_links=disk_links(inventory),
        demand_hit_percent=series.mean("arc.demand_hit_percent", now, hour),
        ghost_hits=series.mean("arc.ghost_hits", now, hour),
    )


def traffic(inventory: Inventory, now: datetime) -> dict[str, tuple[float, float]]:
    """What programs read from and wrote to each dataset in the last minute, by its name; of those that did
    anything within a day."""
    found = series.newest((READ, WRITTEN), since=now - _OF_LATE)
    both = {
        one.name: (found.get(f"{READ}:{one.guid}", 0.0), found.get(f"{WRITTEN}:{one.guid}", 0.0))
        for one in inventory.datasets
    }
    return {name: rates for name, rates in both.items() if any(rates)}


def disk_links(inventory: Inventory) -> dict[str, Link]:
    """What SATA and SAS disks said when they were read last, and what the kernel says of NVMe drives."""
    nvme = read_nvme_links(kernel_files())
    found = {disk.id: nvme[disk.serial] for disk in inventory.disks if disk.serial in nvme}
    for disk_id, record in recognise(inventory.disks, all_records(gone=False)).items():
        reading = reading_of(record)
        if reading is not None and reading.link_mbit is not None:
            found[disk_id] = Link(reading.link_mbit, reading.link_most_mbit)
    return found


def loads(inventory: Inventory, now: datetime, minutes: int) -> dict[str, DiskLoad]:
    """Of each disk in the last `minutes`, by `Disk.id`."""
    records = recognise(inventory.disks, all_records(gone=False))
    keys = {disk.id: series_key(records[disk.id]) for disk in inventory.disks if disk.id in records}
    start = now - timedelta(minutes=minutes)
    found = series.read_all((f"disk.{kind}:{key}" for key in keys.values() for kind in _KINDS), start, now)
    return {
        disk: _load([found.get(f"disk.{kind}:{key}", Columns()) for kind in _KINDS], start, minutes)
        for disk, key in keys.items()
    }


def _load(kinds: list[Columns], start: datetime, minutes: int) -> DiskLoad:
    reads, writes, read_ms, write_ms = (_minutes(columns, start, minutes) for columns in kinds[:4])
    asked = [reads.get(minute, 0.0) + writes.get(minute, 0.0) for minute in range(minutes)]
    both = ((reads, read_ms), (writes, write_ms))
    waited = [
        sum(counts.get(minute, 0.0) * times.get(minute, 0.0) for counts, times in both)
        for minute in range(minutes)
    ]
    read_bytes, write_bytes, busy = (fmean(columns.values or (0.0,)) for columns in kinds[4:])
    return DiskLoad(
        ms=tuple(time / count if count >= 1 else None for time, count in zip(waited, asked, strict=True)),
        requests=fmean(asked),
        bytes=read_bytes + write_bytes,
        busy_percent=busy,
    )


def _minutes(found: Columns, start: datetime, minutes: int) -> dict[int, float]:
    """Means by the minute, 0 the oldest."""
    by_minute: dict[int, list[float]] = {}
    for moment, value in zip(found.times, found.values, strict=True):
        minute = int((moment - start.timestamp()) // 60)
        if 0 <= minute < minutes:
            by_minute.setdefault(minute, []).append(value)
    return {minute: fmean(values) for minute, values in by_minute.items()}


def _link(port: str, now: datetime) -> tuple[float, float] | None:
    name = f"port.mbit:{port}"
    late = series.read(name, now - timedelta(minutes=1), now)
    if not late.values:
        return None
    month = series.read(name, now - _MONTH, now, most=1000)
    return late.values[-1], max((*month.highs, *late.values))

"""Disks by bay: identity, health, and what went through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import get_args

from disks.models import DiskRecord
from disks.verdict import Level
from host import typed
from host.inventory import Disk, Inventory, SmartReading
from host.kernel.counters import Counters
from host.kernel.disks import DiskCounters
from nasweb.metrics.values import Family, counter, gauge, info, one_of

_HOUR_S = 3600
type Labels = Mapping[str, str]


def readings() -> dict[str, SmartReading]:
    """The last SMART readings of the disks that are here, by by-id name."""
    rows = DiskRecord.objects.filter(gone_since=None, reading__isnull=False).order_by()
    return {
        name: typed.convert(reading, SmartReading) for name, reading in rows.values_list("last_id", "reading")
    }


def labels(disk: Disk) -> Labels:
    """How each sample of a disk names it."""
    return {"disk": disk.id, "bay": disk.bay or ""}


def of_disks(inventory: Inventory, smart: Mapping[str, SmartReading]) -> Iterator[Family]:
    """What disks are, and what they last said of themselves."""
    known = [(labels(disk), disk, smart.get(disk.id)) for disk in inventory.disks]
    yield info("disk", "A disk, by its link's name.", (_words(of, disk) for of, disk, _ in known))
    yield gauge("disk_size_bytes", "Size.", ((of, disk.size_bytes) for of, disk, _ in known))
    yield gauge(
        "disk_temperature_celsius", "Temperature at the last reading.",
        ((of, disk.temperature_celsius) for of, disk, _ in known),
    )  # fmt: skip
    yield gauge(
        "disk_asleep", "1 for a disk that was in standby at the last look.",
        ((of, None if disk.asleep is None else float(disk.asleep)) for of, disk, _ in known),
    )  # fmt: skip
    yield gauge(
        "disk_health", "The verdict on a disk by its SMART values: 1 for the state it is in.",
        (one for of, disk, _ in known for one in one_of(get_args(Level), of, disk.health)),
    )  # fmt: skip
    read = [(of, reading) for of, _, reading in known if reading is not None]
    yield from _smart(read)


def of_traffic(inventory: Inventory, now: Counters) -> Iterator[Family]:
    """What the kernel counted for each disk."""
    busy = [
        (labels(disk), counted)
        for disk in inventory.disks
        if (counted := now.disks.get(disk.path.rpartition("/")[2])) is not None
    ]
    rows: tuple[tuple[str, str, Callable[[DiskCounters], float]], ...] = (
        ("disk_read_bytes", "Bytes read.", lambda one: one.read_bytes),
        ("disk_written_bytes", "Bytes written.", lambda one: one.written_bytes),
        ("disk_reads", "Reads that ended.", lambda one: one.reads),
        ("disk_writes", "Writes that ended.", lambda one: one.writes),
        ("disk_read_time_seconds", "Time of all reads, waiting included.", lambda one: one.read_ms / 1000),
        ("disk_write_time_seconds", "Time of all writes, waiting included.", lambda one: one.write_ms / 1000),
        ("disk_busy_seconds", "Time in which the disk had any request.", lambda one: one.busy_ms / 1000),
    )
    for name, words, value in rows:
        yield counter(name, words, ((of, value(one)) for of, one in busy))


def _words(of: Labels, disk: Disk) -> Labels:
    pools = sorted({claim.pool for claim in disk.claims if claim.kind == "pool" and claim.pool})
    return {
        **of, "serial": disk.serial or "", "model": disk.model, "medium": disk.medium,
        "transport": disk.transport or "", "pool": ",".join(pools),
    }  # fmt: skip


def _smart(read: Iterable[tuple[Labels, SmartReading]]) -> Iterator[Family]:
    known = list(read)

    def each(field: str, factor: float = 1) -> Iterator[tuple[Labels, float | None]]:
        for of, reading in known:
            value = getattr(reading, field)
            yield of, None if value is None else value * factor

    yield counter("disk_power_on_seconds", "Time powered on.", each("power_on_hours", _HOUR_S))
    yield gauge("disk_reallocated_sectors", "Sectors that were moved.", each("reallocated_sectors"))
    yield gauge("disk_pending_sectors", "Sectors that could not be read.", each("pending_sectors"))
    yield gauge(
        "disk_uncorrectable_sectors", "Sectors or requests that were lost.", each("uncorrectable_sectors")
    )
    yield counter("disk_crc_errors", "Transfers that arrived damaged: cable, power.", each("crc_errors"))
    yield gauge("disk_wear_ratio", "Share of the rated endurance that is used.", each("wear_percent", 0.01))
    yield gauge("disk_spare_ratio", "Spare blocks that are left.", each("spare_percent", 0.01))
    yield gauge("disk_smart_passed", "The disk's own verdict: 1 for passed.", each("passed"))

"""How busy each disk is, from the kernel's counters: bytes, requests, their times, and utilisation."""

from __future__ import annotations

from collections.abc import Iterator

from disks.identity import recognise
from disks.records import all_records, series_key
from host.inventory import Inventory
from host.kernel.disks import DiskCounters, mean_ms
from jobs.series.collecting import Round
from jobs.series.values import Point


def of_disks(of: Round, inventory: Inventory) -> Iterator[Point]:
    """Series `disk.read_bytes:<key>` and so on, a second; `disk.read_ms` and `disk.write_ms` are the mean
    times of a request, left out where there was none; `disk.busy_percent` is the share of the time in which
    the disk had any request, as `iostat` has it in %util."""
    records = recognise(inventory.disks, all_records(gone=False))
    for disk in inventory.disks:
        name = disk.path.rpartition("/")[2]
        before, now = of.before.disks.get(name), of.now.disks.get(name)
        if disk.id in records and before is not None and now is not None:
            for kind, value in rates(of, before, now):
                yield from of.point(f"disk.{kind}:{series_key(records[disk.id])}", value)


def rates(of: Round, before: DiskCounters, now: DiskCounters) -> Iterator[tuple[str, float | None]]:
    """By kind. Nothing at all where a counter went back: it belongs to another disk by now."""
    if any(later < earlier for earlier, later in zip(before, now, strict=True)):
        return
    yield "read_bytes", of.rate(before.read_bytes, now.read_bytes)
    yield "write_bytes", of.rate(before.written_bytes, now.written_bytes)
    yield "reads", of.rate(before.reads, now.reads)
    yield "writes", of.rate(before.writes, now.writes)
    yield "read_ms", mean_ms(now.read_ms - before.read_ms, now.reads - before.reads)
    yield "write_ms", mean_ms(now.write_ms - before.write_ms, now.writes - before.writes)
    yield "busy_percent", min((now.busy_ms - before.busy_ms) / of.seconds / 10, 100.0)

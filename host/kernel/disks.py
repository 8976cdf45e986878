"""What was read from and written to each block device since the machine started."""

from __future__ import annotations

from typing import NamedTuple

from host.kernel.files import KernelFiles

_SECTOR = 512  # the kernel's own unit, whatever the disk's sectors are


class DiskCounters(NamedTuple):
    """Since the device came. The times are sums over requests in milliseconds, from when each was queued;
    `busy_ms` is how long there was any."""

    reads: int
    read_bytes: int
    read_ms: int
    writes: int
    written_bytes: int
    write_ms: int
    busy_ms: int


def mean_ms(milliseconds: int, requests: int) -> float | None:
    """What a request took on average; None where there was none."""
    return milliseconds / requests if requests else None


def read_disks(files: KernelFiles) -> dict[str, DiskCounters]:
    """By the kernel's name; of disks and of their partitions. Counters in memory: no disk is asked."""
    return parse_diskstats(files.read("/proc/diskstats"))


def parse_diskstats(text: str) -> dict[str, DiskCounters]:
    """From /proc/diskstats; see Documentation/admin-guide/iostats.rst of the kernel."""
    found = {}
    for row in map(str.split, text.splitlines()):
        if len(row) >= 13:
            reads, _, read, read_ms, writes, _, written, write_ms, _, busy = map(int, row[3:13])
            found[row[2]] = DiskCounters(
                reads, read * _SECTOR, read_ms, writes, written * _SECTOR, write_ms, busy
            )
    return found

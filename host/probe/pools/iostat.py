"""`zpool iostat` with latencies: what a pool does just now."""

from __future__ import annotations

from host.base import Host
from host.commands.pools.care import ZpoolIostat
from host.inventory import Activity

# Name, alloc, free; operations, bandwidth, waits in total, at the disk, in syncq and in asyncq, each for
# reads and writes; waits of scrub, trim and rebuild.
_COLUMNS = 18


def read_iostat(host: Host, pool: str, *, seconds: int = 1) -> tuple[Activity, ...]:
    """The pool as a whole, then each of its vdevs and leaves by guid. Takes so many seconds, and reads
    counters in memory only. Raises `HostError`."""
    return parse_zpool_iostat(host.run(ZpoolIostat(name=pool, seconds=seconds)).stdout)


def parse_zpool_iostat(text: str) -> tuple[Activity, ...]:
    """Narrower lines are headings of roles; older ZFS has fewer columns, and then nothing is known."""
    rows = [line.split("\t") for line in text.splitlines()]
    return tuple(
        _row(row, whole=index == 0) for index, row in enumerate(r for r in rows if len(r) >= _COLUMNS)
    )


def _row(row: list[str], *, whole: bool) -> Activity:
    values = [_number(text) for text in row[1:_COLUMNS]]
    return Activity(
        guid=None if whole else row[0],
        allocated_bytes=values[0],
        free_bytes=values[1],
        reads_per_s=values[2] or 0,
        writes_per_s=values[3] or 0,
        read_bytes_per_s=values[4] or 0,
        write_bytes_per_s=values[5] or 0,
        read_ns=values[6],
        write_ns=values[7],
        disk_read_ns=values[8],
        disk_write_ns=values[9],
        sync_read_ns=values[10],
        sync_write_ns=values[11],
        async_read_ns=values[12],
        async_write_ns=values[13],
        scrub_ns=values[14],
        trim_ns=values[15],
        rebuild_ns=values[16],
    )


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None

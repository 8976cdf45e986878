"""What pools do at this moment."""

from __future__ import annotations

import msgspec


class Activity(msgspec.Struct, frozen=True, kw_only=True):
    """What a pool, vdev or leaf did on average over the sample. Times are None where nothing was done."""

    guid: str | None  # None for the pool as a whole
    allocated_bytes: int | None
    free_bytes: int | None
    reads_per_s: int
    writes_per_s: int
    read_bytes_per_s: int
    write_bytes_per_s: int
    read_ns: int | None = None  # from request to answer, waiting included
    write_ns: int | None = None
    disk_read_ns: int | None = None  # at the device alone
    disk_write_ns: int | None = None
    sync_read_ns: int | None = None  # waiting in each of ZFS's queues
    sync_write_ns: int | None = None
    async_read_ns: int | None = None
    async_write_ns: int | None = None
    scrub_ns: int | None = None
    trim_ns: int | None = None
    rebuild_ns: int | None = None

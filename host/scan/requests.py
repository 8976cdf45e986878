"""How large the requests to a pool's disks are: `zpool iostat -rHp`."""

from __future__ import annotations

import msgspec

MOST_BYTES = 16 << 20  # with all that is larger
_SIZES = 16  # from 512 bytes on
# Each of sync_read, sync_write, async_read, async_write, scrub, trim and rebuild, individual and aggregated.
_COLUMNS = 15
_READS, _WRITES = (1, 2, 5, 6), (3, 4, 7, 8)


class RequestSize(msgspec.Struct, frozen=True, kw_only=True):
    """Requests of `from_bytes` or more and of less than twice that, since the pool was imported; the last are
    all that are larger. Without those of scrubs, resilvers and trims.

    A row of zpool bears the size at which it begins (`RQ_HISTO` in OpenZFS's vdev.c).
    """

    from_bytes: int
    reads: int
    writes: int


def parse_request_sizes(text: str) -> tuple[RequestSize, ...]:
    """Smallest first, of the pool as a whole; none where there was no request."""
    rows = [row for line in text.splitlines() if len(row := line.split("\t")) == _COLUMNS]
    found = tuple(_row(row) for row in rows[:_SIZES] if all(word.isdecimal() for word in row))
    return found if any(one.reads or one.writes for one in found) else ()


def _row(row: list[str]) -> RequestSize:
    return RequestSize(
        from_bytes=int(row[0]), reads=sum(int(row[at]) for at in _READS),
        writes=sum(int(row[at]) for at in _WRITES),
    )  # fmt: skip

"""Reads the table of blocks that `zdb -PLbbbb` prints: a row for each type of object and level, and below it
how many blocks have so many sectors of 512 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from host.blocks.values import Blocks, SmallBlocks

LIMITS = tuple(4096 << power for power in range(5))  # of small blocks, in bytes: 4 KiB to 64 KiB
_SECTOR = 512
_WHOLE = 4096  # of SSDs: `ashift` of what a special vdev is made of
# Blocks, LSIZE, PSIZE, ASIZE, mean, compression, share; then a level, where the row is of one, and the type.
_ROW = re.compile(
    r"\s*(\d{1,20})\t\s*\d{1,20}\t\s*(\d{1,20})\t\s*(\d{1,20})\t\s*\d{1,20}\t\s*[\d.]{1,20}\t\s*[\d.]{1,20}\t"
    r"(?: {4}L(\d{1,2}) )?(.{1,80})"
)
_BAR = re.compile(r"\t+\s*(\d{1,5}):\s*(\d{1,20}) \**")
_TOTAL, _FILES, _VOLUMES, _LOG = "Total", "ZFS plain file", "zvol object", "ZIL intent log"


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """What the table says. All None or empty where there is none."""

    metadata: Blocks | None = None
    files: Blocks = Blocks()
    volumes: Blocks = Blocks()
    small: tuple[SmallBlocks, ...] = ()


def parse_table(lines: Iterable[str]) -> Counted:
    """Data is at level 0 of files and volumes. All else is metadata, but for the intent log, which has
    a place of its own.
    """
    rows: dict[tuple[str, bool], Blocks] = {}
    sizes: dict[tuple[str, bool], dict[int, int]] = {}
    at: tuple[str, bool] | None = None
    for line in lines:
        if (row := _ROW.fullmatch(line)) is not None:
            count, stored, allocated, level, kind = row.groups()
            at = (kind, level == "0") if level in {None, "0"} else None
            if at is not None:
                rows[at] = Blocks(count=int(count), stored_bytes=int(stored), allocated_bytes=int(allocated))
        elif at is not None and (bar := _BAR.fullmatch(line)) is not None:
            sizes.setdefault(at, {})[int(bar[1])] = int(bar[2])
    # The row of level 0 is left out where an object has no other level.
    files = (_FILES, True) if (_FILES, True) in rows else (_FILES, False)
    volumes = (_VOLUMES, True) if (_VOLUMES, True) in rows else (_VOLUMES, False)
    data = rows.get(files, Blocks()), rows.get(volumes, Blocks())
    total = rows.get((_TOTAL, False))
    return Counted(
        metadata=None if total is None else _rest(total, *data, rows.get((_LOG, False), Blocks())),
        files=data[0], volumes=data[1], small=_small(sizes.get(files, {})),
    )  # fmt: skip


def _rest(total: Blocks, *others: Blocks) -> Blocks:
    """zdb's own sum of metadata has the intent log, and not what newer features store."""
    return Blocks(
        count=total.count - sum(one.count for one in others),
        stored_bytes=total.stored_bytes - sum(one.stored_bytes for one in others),
        allocated_bytes=total.allocated_bytes - sum(one.allocated_bytes for one in others),
    )


def _small(sizes: dict[int, int]) -> tuple[SmallBlocks, ...]:
    """From how many blocks have so many sectors."""
    found = []
    for limit in LIMITS:
        within = {sectors: count for sectors, count in sizes.items() if sectors * _SECTOR <= limit}
        stored = sum(-(-sectors * _SECTOR // _WHOLE) * _WHOLE * count for sectors, count in within.items())
        found.append(SmallBlocks(up_to_bytes=limit, count=sum(within.values()), stored_bytes=stored))
    return tuple(found) if sizes else ()

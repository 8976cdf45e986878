"""Reads the histogram of references that zdb(8) and zpool-status(8) print, and the line above it."""

from __future__ import annotations

import re

from host.dedup.values import DedupTable, References

_UNITS = "KMGTPE"
_COLUMNS = (
    9  # refcnt, then blocks, LSIZE, PSIZE and DSIZE of what is allocated, and the same of what is referenced
)
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,3})?[KMGTPE]?")
_TABLE = re.compile(r"\s*dedup: DDT entries (\d{1,20}), size (\d{1,20}) on disk, (\d{1,20}) in core\b")


def parse_rows(text: str) -> tuple[References, ...]:
    """Its rows, fewest references first; none where there is no histogram."""
    lines = (line.split() for line in text.splitlines())
    return tuple(
        _row(found) for found in lines if len(found) == _COLUMNS and all(map(_NUMBER.fullmatch, found))
    )


def parse_table(text: str) -> DedupTable | None:
    """Of `zpool status -Dp`; None where nothing is deduplicated."""
    found = next((found for line in text.splitlines() if (found := _TABLE.match(line))), None)
    if found is None:
        return None
    entries, disk, memory = map(int, found.groups())
    return DedupTable(entries=entries, disk_bytes=disk, memory_bytes=memory, rows=parse_rows(text))


def _row(columns: list[str]) -> References:
    references, blocks, _, _, size, referenced_blocks, _, _, referenced = map(_whole, columns)
    return References(
        references=references, blocks=blocks, size_bytes=size, referenced_blocks=referenced_blocks,
        referenced_bytes=referenced,
    )  # fmt: skip


def _whole(text: str) -> int:
    """`1.49K` → 1526: counts have binary units, too (`zfs_nicenum`)."""
    unit = text[-1]
    return round(float(text[:-1]) * 1024 ** (_UNITS.index(unit) + 1)) if unit in _UNITS else int(float(text))

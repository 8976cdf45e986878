"""Adds up files as they are found. What it keeps has a bound, however many there are."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from host.files.names import shown
from host.scan.kinds import kind_of
from host.scan.values import FolderUse, Kind, KindUse, RecordUse, SizeClass

RECORDS = tuple(1 << power for power in range(12, 25))  # 4 KiB to 16 MiB
SIZES = tuple(1 << power for power in range(12, 41, 2))  # 4 KiB to 1 TiB
MOST_FOLDERS = 20_000  # of each depth
_SHOWN_FOLDERS = 100
_DEEPEST = 2
_SECTOR = 512
Names = tuple[bytes, ...]


class Sums:
    """`add` for each file; `fields` are those of a report."""

    def __init__(self) -> None:
        self.files, self.size_bytes, self.disk_bytes = 0, 0, 0
        self._folders: dict[Names, list[int]] = {}  # by path: files and bytes
        self._depths = [0] * (_DEEPEST + 1)
        self._kinds: defaultdict[Kind, list[int]] = defaultdict(lambda: [0, 0])
        self._sizes = [[0, 0] for _ in SIZES]
        self._records = [[0, 0] for _ in RECORDS]

    def add(self, names: Names, size: int, disk: int) -> None:
        """A file by its names from the root, its size and the bytes that it takes on disk."""
        self.files += 1
        self.size_bytes += size
        self.disk_bytes += disk
        for depth in range(1, min(len(names) - 1, _DEEPEST) + 1):
            _count(self._folder(names[:depth]), disk)
        _count(self._kinds[kind_of(names[-1])], disk)
        _count(self._sizes[_class_of(size)], size)
        for sums, record in zip(self._records, RECORDS, strict=True):
            blocks, padding = in_records(size, record)
            sums[0] += blocks
            sums[1] += padding

    def _folder(self, path: Names) -> list[int]:
        found = self._folders.get(path)
        if found is None:
            if self._depths[len(path)] >= MOST_FOLDERS:
                self._drop_small(len(path))
            found = self._folders[path] = [0, 0]
            self._depths[len(path)] += 1
        return found

    def _drop_small(self, depth: int) -> None:
        """Half of those of that depth, the smallest. Files come folder by folder, so that all but the last of
        them are complete."""
        *here, _last = (path for path in self._folders if len(path) == depth)
        here.sort(key=lambda path: self._folders[path][1])
        dropped = here[: max(1, len(here) // 2)]
        for path in dropped:
            del self._folders[path]
        self._depths[depth] -= len(dropped)

    def fields(self) -> dict[str, Any]:
        """What is known now."""
        largest = sorted(self._folders.items(), key=lambda one: (-one[1][1], one[0]))[:_SHOWN_FOLDERS]
        return {
            "files": self.files, "size_bytes": self.size_bytes, "disk_bytes": self.disk_bytes,
            "largest_folders": tuple(
                FolderUse(path=shown(b"/".join(path)), files=files, bytes=taken)
                for path, (files, taken) in largest
            ),
            "kinds": tuple(
                KindUse(kind=kind, files=files, bytes=taken)
                for kind, (files, taken) in sorted(self._kinds.items(), key=lambda one: (-one[1][1], one[0]))
            ),
            "sizes": tuple(
                SizeClass(up_to_bytes=up_to, files=files, bytes=size)
                for up_to, (files, size) in zip(SIZES, self._sizes, strict=True)
                if files
            ),
            "records": tuple(
                RecordUse(record_bytes=record, blocks=blocks, padding_bytes=padding)
                for record, (blocks, padding) in zip(RECORDS, self._records, strict=True)
            ) if self.files else (),
        }  # fmt: skip


def in_records(size: int, record: int) -> tuple[int, int]:
    """How many blocks a file of so many bytes has, and how many zeros stand behind its end.

    OpenZFS: a file of one block has a block of its size, rounded up to whole sectors; beyond the record size
    all blocks are of that size (zfsprops(7), "recordsize").
    """
    if not size:
        return 0, 0
    if size <= record:
        return 1, -size % _SECTOR
    return -(-size // record), -size % record


def _count(sums: list[int], size: int) -> None:
    sums[0] += 1
    sums[1] += size


def _class_of(size: int) -> int:
    """The number of the class; the last has what is larger, too."""
    return next((number for number, up_to in enumerate(SIZES) if size <= up_to), len(SIZES) - 1)

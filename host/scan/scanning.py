"""One scan of a snapshot: what there is, and on request which large files are the same. Only the report is
written.
"""

from __future__ import annotations

import os
import stat

from host.files import opening
from host.files.opening import Root, Unreachable
from host.measuring.pausing import STOPPED, Pausing, Writing
from host.scan.duplicates import MOST_READ, Candidates, Ended, duplicates
from host.scan.sums import Names, Sums
from host.scan.values import Duplicate, Scanned

LONGEST_S = 4 * 3600.0
MOST_WAITING = 1_000_000  # folders that are known and not read yet, and files with several names
EMPTY = "There is no file in it."
_SHORT = "There was more than can be read in four hours, so not all files were counted."
_COMPARED = "There was more than can be compared at once: of the large files, those that may save most were."
_UNREAD = "No folder of the snapshot can be read any more."
_CHECKED_EVERY, _NOTED_EVERY_S = 500, 2.0  # entries of one folder; seconds
_SHOWN_DUPLICATES = 50


class Scan:
    """Of the snapshot that `root` is the folder of; with `compares` large files of one size are read, too."""

    def __init__(
        self, root: Root, report: Writing[Scanned], pausing: Pausing, *, compares: bool = False
    ) -> None:
        self._root, self._report, self._pausing = root, report, pausing
        self._sums = Sums()
        self._candidates = Candidates() if compares else None
        self._folders, self._others, self._unread = 0, 0, 0
        self._waiting: list[Names] = [()]
        self._linked: set[int] = set()  # inode numbers of files with several names
        self._whole = self._all_compared = True
        self._compares = False  # all were counted
        self._until = pausing.working_s() + LONGEST_S
        self._noted_s = pausing.working_s()
        self._read_bytes = 0
        self._duplicates: list[Duplicate] = []

    def carry_out(self) -> None:
        """To the verdict in the report."""
        ended = self._pausing.ended()
        while self._waiting and not ended:
            ended = self._read(self._waiting.pop())
        if self._candidates is not None and not ended:
            self._compare(self._candidates)
        self._report.note(phase="done", left_s=None, **self._fields())
        if self._pausing.stop.asked():
            self._report.close("stopped", STOPPED)
        elif self._sums.files:
            self._report.close("done", self._words())
        elif self._unread:
            self._report.close("failed", _UNREAD)
        else:
            self._report.close("empty", EMPTY)

    def _words(self) -> str:
        if not self._whole:
            return _SHORT
        return "" if self._all_compared else _COMPARED

    def _read(self, path: Names) -> bool:
        """Add up one folder; whether to end. One that vanishes is counted as unread."""
        try:
            with opening.folder(self._root, path) as descriptor, os.scandir(descriptor) as entries:
                for number, entry in enumerate(entries, 1):
                    self._see(path, entry)
                    if number % _CHECKED_EVERY == 0 and self._over():
                        return True
        except (OSError, Unreachable):
            self._unread += 1
        return self._over()

    def _compare(self, candidates: Candidates) -> None:
        """Read files of one size, those first that may save most."""
        self._report.note(phase="comparing")
        self._compares, self._all_compared = True, candidates.whole
        groups = candidates.groups()
        # Most files of one size differ at their ends: this is the most that may have to be read.
        left, begun = sum(size * len(paths) for size, paths in groups), self._pausing.working_s()

        def over(size: int) -> bool:
            self._read_bytes += size
            passed = self._pausing.working_s() - begun
            most = max(left - self._read_bytes, 0)
            self._report.note(left_s=round(passed / self._read_bytes * most))
            self._all_compared = self._all_compared and self._read_bytes <= MOST_READ
            return self._over() or self._read_bytes > MOST_READ

        try:
            for size, paths in groups:
                self._duplicates += duplicates(self._root, size, paths, over, self._count_unread)
                left -= size * len(paths)
        except Ended:
            pass

    def _count_unread(self) -> None:
        self._unread += 1

    def _over(self) -> bool:
        now = self._pausing.working_s()
        if now - self._noted_s >= _NOTED_EVERY_S:
            self._noted_s = now
            self._report.note(**self._fields())
        late = now > self._until
        if self._compares:
            self._all_compared = self._all_compared and not late
        else:
            self._whole = self._whole and not late
        return late or self._pausing.ended()

    def _see(self, path: Names, entry: os.DirEntry[str]) -> None:
        status = entry.stat(follow_symlinks=False)
        if status.st_dev != self._root.device:
            return
        names = (*path, os.fsencode(entry.name))
        if stat.S_ISDIR(status.st_mode):
            self._folders += 1
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append(names)
            else:
                self._whole = False
        elif not stat.S_ISREG(status.st_mode):
            self._others += 1
        elif self._is_first(status):
            self._sums.add(names, status.st_size, status.st_blocks * 512)
            if self._candidates is not None:
                self._candidates.add(names, status.st_size)

    def _is_first(self, status: os.stat_result) -> bool:
        """Whether no other name of the same file was seen."""
        if status.st_nlink == 1:
            return True
        if status.st_ino in self._linked:
            return False
        if len(self._linked) < MOST_WAITING:
            self._linked.add(status.st_ino)
        return True

    def _fields(self) -> dict[str, object]:
        counts = {"folders": self._folders, "others": self._others, "unread": self._unread}
        return {**counts, "whole": self._whole, **self._sums.fields(), **self._found()}

    def _found(self) -> dict[str, object]:
        largest = sorted(self._duplicates, key=lambda one: -one.size_bytes * (one.files - 1))
        return {
            "compared_bytes": self._read_bytes, "duplicates": tuple(largest[:_SHOWN_DUPLICATES]),
            "duplicate_files": sum(one.files - 1 for one in largest),
            "duplicate_bytes": sum(one.size_bytes * (one.files - 1) for one in largest),
        }  # fmt: skip


def begun(moment: str, *, run: str, dataset: str, snapshot: str, compares: bool = False) -> Scanned:
    """The report of a scan that begins."""
    return Scanned(
        run=run, dataset=dataset, snapshot=snapshot, started_at=moment, updated_at=moment, compares=compares
    )

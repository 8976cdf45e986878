"""Has zdb(8) read all block pointers of a pool and count them by type and size: `zdb -PLbbbb`. No data is
read.
"""

from __future__ import annotations

import re

from host.blocks.table import parse_table
from host.blocks.values import PoolBlocks
from host.commands.pools.blocks import counting
from host.measuring.pausing import Writing
from host.measuring.zdb import ReadingPool

TOO_LARGE = "It needs more memory than it may have."
EMPTY = "The pool has no blocks yet."
_LEFT = re.compile(rb"estimated time remaining: (\d{1,20})hr (\d\d)min (\d\d)sec")
_FORETELLS_AFTER_S = 5.0  # its first figures are of what is in memory
_MOST_HOURS = 10_000  # more than what was allocated at its start wraps round: millions of hours
_MOST_LINES = 20_000


class Count:
    """One of them."""

    def __init__(self, report: Writing[PoolBlocks], reading: ReadingPool) -> None:
        self._report, self._reading = report, reading
        self._lines: list[str] = []

    def carry_out(self) -> None:
        """To the verdict in its report."""
        if not self._reading.carry_out(counting(self._report.content.pool), self._line, self._said):
            return
        found = parse_table(self._lines)
        if found.metadata is None:
            self._report.close("empty", EMPTY)
            return
        self._report.note(
            metadata=found.metadata, files=found.files, volumes=found.volumes, small=found.small, share=1.0
        )
        self._report.close("done", "")

    def _line(self, line: bytes) -> None:
        if len(self._lines) < _MOST_LINES:
            self._lines.append(line.decode("utf-8", "replace"))

    def _said(self, chunk: bytes) -> None:
        """Its line of progress, which it writes anew each second."""
        found = _LEFT.findall(chunk)
        if not found:
            return
        hours, minutes, seconds = map(int, found[-1])
        if hours > _MOST_HOURS:
            self._report.note(left_s=None)
            return
        left = float(hours * 3600 + minutes * 60 + seconds)
        passed = self._reading.passed_s()
        share = passed / (passed + left) if passed + left else 0.0
        self._report.note(share=share, left_s=left if passed >= _FORETELLS_AFTER_S else None)

"""Has zdb(8) read all block pointers of a pool and count equal checksums: `zdb -S`, with one line for each
object set that it begins (`-SS`).

No data is read, but zdb has each different block in memory until its end. Equal data has equal checksums only
where dataset, compression and checksum algorithm make the same of it, as for deduplication itself; encrypted
blocks are never equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from host.commands.pools.dedup import simulation
from host.dedup.histogram import parse_rows
from host.dedup.values import DedupEstimate
from host.measuring.pausing import Writing
from host.measuring.zdb import ReadingPool

TOO_LARGE = (
    "It needs more memory than it may have: each different block is kept there until the end. The table of "
    "deduplication would not fit either."
)
CHANGED = (
    "zdb stopped counting before it had read everything, as the pool changed under it. Start it again when "
    "less is written."
)
EMPTY = "The pool has no blocks that could be deduplicated."
_BEGINS = re.compile(rb"traversing objset (\d{1,20}), \d+ objects, (\d{1,20}) blocks so far")
_LEAST_SHARE = 0.02  # of which a time is foretold
_MOST_LINES = 1000


class Estimate:
    """One of them. `written`: the bytes that each object set has to itself, by its number; `listed` asks for
    that once more."""

    def __init__(
        self,
        report: Writing[DedupEstimate],
        written: Mapping[int, int],
        reading: ReadingPool,
        listed: Callable[[], Mapping[int, int]],
    ) -> None:
        self._report, self._reading, self._listed = report, reading, listed
        self._written, self._whole = written, max(1, sum(written.values()))
        self._passed, self._now_at = 0, 0
        self._said: list[str] = []
        self._begun = set[int]()

    def carry_out(self) -> None:
        """To the verdict in its report."""
        if not self._reading.carry_out(simulation(self._report.content.pool), self._line):
            return
        if self._is_cut_off():
            self._report.close("failed", CHANGED)
            return
        rows = parse_rows("\n".join(self._said))
        if not rows:
            self._report.close("empty", EMPTY)
        else:
            self._report.note(rows=rows, share=1.0, different_blocks=sum(row.blocks for row in rows))
            self._report.close("done", "")

    def _is_cut_off(self) -> bool:
        """zdb ends as if it had read everything where a block was used anew while it followed pointers to it:
        then it has not begun with what came later."""
        missing = {number for number, size in self._written.items() if size} - self._begun
        return bool(missing) and not missing.isdisjoint(self._listed())

    def _line(self, line: bytes) -> None:
        found = _BEGINS.match(line)
        if found is None:
            if len(self._said) < _MOST_LINES:
                self._said.append(line.decode("utf-8", "replace"))
            return
        self._passed += self._written.get(self._now_at, 0)  # the one before it has been read
        self._now_at = int(found[1])
        self._begun.add(self._now_at)
        share = min(1.0, self._passed / self._whole)
        passed_s = self._reading.passed_s()
        left = passed_s * (1 - share) / share if share >= _LEAST_SHARE else None
        self._report.note(share=share, left_s=left, different_blocks=int(found[2]))

"""One measurement of a snapshot: its files are listed, a sample of their blocks is read and compressed.

Nothing is kept of a block but its sizes, and nothing is written but the report.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from host.compression.codecs import Codecs, of_zeros
from host.compression.sampling import MOST_ENTRIES, Block, Sample, files_below, is_hole, read, stretches
from host.compression.stored import block_bytes
from host.compression.tally import Tally
from host.compression.values import Measured
from host.files.opening import Root, Unreachable
from host.measuring.pausing import STOPPED, Pausing, Writing

SAMPLE_BYTES = 64 << 20  # of each kind of block
_LEAST_BLOCKS, _MOST_BLOCKS = 24, 1024
_LISTING_S, _COMPRESSING_S = 300.0, 1800.0
_DONE, _SHORT = "", "It took longer than half an hour, so fewer blocks were measured than planned."
EMPTY = "There is no file with data in it."
_UNREAD = "No file of the snapshot can be read any more."


def sample_blocks(record_bytes: int) -> int:
    """How many blocks are measured of files of several, which all have one size."""
    return max(_LEAST_BLOCKS, min(_MOST_BLOCKS, SAMPLE_BYTES // record_bytes))


def _kind(file_bytes: int, record_bytes: int) -> str:
    """A file of one block may be a thousand times smaller than the blocks of others: those hold most of a
    dataset, these may be most of its blocks. So each kind has a sample of its own."""
    return "file" if file_bytes <= record_bytes else "part"


class Measuring:
    """Of the snapshot that `root` is the folder of."""

    def __init__(
        self, root: Root, report: Writing[Measured], pausing: Pausing, codecs: Codecs, *, embeds: bool,
        chance: random.Random,
    ) -> None:  # fmt: skip
        self._root, self._report, self._codecs, self._chance = root, report, codecs, chance
        self._pausing, self._stop = pausing, pausing.stop
        self._record = report.content.record_bytes
        self._tally = Tally(ashift=report.content.ashift, embeds=embeds)
        self._empty, self._unread = 0, 0

    def carry_out(self) -> None:
        """To the verdict in the report."""
        blocks = self._chosen()
        self._report.note(phase="compressing", blocks=len(blocks))
        words = self._measure(blocks)
        if self._stop.asked():
            self._close("stopped", STOPPED)
        elif self._tally.blocks:
            self._close("done", words)
        elif self._unread:
            self._close("failed", _UNREAD)
        else:
            self._close("empty", EMPTY)

    def _close(self, verdict: str, words: str) -> None:
        self._report.note(phase="done", left_s=None, **self._figures())
        self._report.close(verdict, words)

    def _chosen(self) -> list[Block]:
        """The samples, in a random order: what is measured by the time of a stop is a sample, too."""
        samples = {
            "file": Sample(_MOST_BLOCKS, self._chance),
            "part": Sample(sample_blocks(self._record), self._chance),
        }
        until = self._pausing.working_s() + _LISTING_S
        found = files_below(self._root, self._chance, self._enough(until), unreadable=self._count_unread)
        for files, file in enumerate(found, 1):
            if self._pausing.ended():
                break
            for first, count in stretches(self._root, file, self._record):
                kind = _kind(file.size_bytes, self._record)
                samples[kind].offer(file, first, count)
                self._tally.offer(count, kind)
            self._report.note(files=files)
        blocks = [*self._few(samples["file"].blocks), *samples["part"].blocks]
        self._chance.shuffle(blocks)
        return blocks

    def _few(self, blocks: list[Block]) -> Iterator[Block]:
        """Of blocks of any size, in a random order, as many as are measured."""
        self._chance.shuffle(blocks)
        left = SAMPLE_BYTES
        for block in blocks:
            if left > 0:
                yield block
            left -= block_bytes(block.file_bytes, self._record)

    def _enough(self, until: float) -> Callable[[int], bool]:
        def enough(seen: int) -> bool:
            if seen > MOST_ENTRIES or self._pausing.working_s() > until:
                self._report.note(whole=False)
                return True
            return self._stop.asked()

        return enough

    def _count_unread(self) -> None:
        self._unread += 1

    def _measure(self, blocks: list[Block]) -> str:
        """What there is to say about it."""
        begun = self._pausing.working_s()
        for number, block in enumerate(blocks, 1):
            if self._pausing.ended() or not self._one(block):
                break
            took_s = self._pausing.working_s() - begun
            left_s = round(took_s / number * (len(blocks) - number))
            self._report.note(left_s=left_s, **self._figures())
            if took_s > _COMPRESSING_S and number < len(blocks):
                return _SHORT
        return _DONE

    def _one(self, block: Block) -> bool:
        """Whether to go on."""
        size = block_bytes(block.file_bytes, self._record)
        kind = _kind(block.file_bytes, self._record)
        try:
            data = read(self._root, block, size)
            zeros = not data.strip(b"\0")
            if zeros and is_hole(self._root, block, size):
                self._empty += 1
                self._tally.add_hole(kind)
                return True
        except (OSError, Unreachable):
            self._unread += 1
            return True
        timed = of_zeros() if zeros else self._codecs.each(data, self._stop.asked)
        if timed is None:
            return False
        self._tally.add(size, timed, kind)
        return True

    def _figures(self) -> dict[str, Any]:
        return {
            "measured_blocks": self._tally.blocks, "empty_blocks": self._empty, "unread": self._unread,
            "logical_bytes": self._tally.logical_bytes, "choices": self._tally.choices(),
        }  # fmt: skip


def begun(moment: str, **facts: Any) -> Measured:
    """The report of a measurement that begins."""
    return msgspec.structs.replace(
        Measured(
            run="", dataset="", snapshot="", record_bytes=0, ashift=0, started_at=moment, updated_at=moment
        ),
        **facts,
    )

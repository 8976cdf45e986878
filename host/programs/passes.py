"""The two passes of a burn-in over a descriptor: write everything, then read it back and compare."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import msgspec

from host.inventory import Throughput
from host.programs.pattern import BLOCK, CHUNK, Pattern

POINTS = 200
_NAMED = 3  # how many places of differences are kept
_ENOUGH = 1 << 16  # differing blocks, 256 MiB, after which reading on adds nothing

After = Callable[[int], None]  # called with the bytes that are done; what it raises ends the pass


class BrokenOff(Exception):
    """The disk did not carry out a read or a write."""

    def __init__(self, offset_bytes: int, why: str) -> None:
        self.offset_bytes, self.why = offset_bytes, why
        super().__init__(f"{why} at {offset_bytes}")


class Differences(msgspec.Struct):
    """Blocks that read back otherwise; `misplaced` is the first that was written for another place."""

    blocks: int = 0
    first: list[int] = []
    misplaced: tuple[int, int] | None = None  # where it lies, and where it belongs


class Meter:
    """The curve of a pass: its speed in about 200 stretches of equal length."""

    def __init__(self, size_bytes: int, clock: Callable[[], float]) -> None:
        self._step = max(CHUNK, -(-size_bytes // POINTS))
        self._clock = clock
        self._start, self._since = 0, clock()
        self.points: tuple[Throughput, ...] = ()

    def passed(self, done_bytes: int) -> None:
        """The pass has come to this offset."""
        if done_bytes - self._start >= self._step:
            now = self._clock()
            speed = (done_bytes - self._start) / max(now - self._since, 1e-6)
            point = Throughput(offset_bytes=self._start, bytes_per_second=round(speed))
            self.points = (*self.points, point)
            self._start, self._since = done_bytes, now


class _Transfer(Protocol):
    def __call__(self, descriptor: int, buffers: list[memoryview], offset: int, /) -> int: ...


def wake(descriptor: int) -> None:
    """One read, to wake a disk in standby: asleep it reports nothing. A failure shows again soon."""
    with suppress(OSError):
        os.preadv(descriptor, [mmap.mmap(-1, BLOCK)], 0)


def write_pass(descriptor: int, size_bytes: int, pattern: Pattern, after: After) -> None:
    """Write the pattern from the start to the end, down to the platters. Raises `BrokenOff`."""
    buffer = memoryview(mmap.mmap(-1, CHUNK))  # begins at a page, as direct writes must
    for offset in range(0, size_bytes, CHUNK):
        part = buffer[: size_bytes - offset]
        pattern.fill(part, offset)
        _whole(os.pwritev, descriptor, part, offset)
        after(offset + len(part))
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise BrokenOff(size_bytes, os.strerror(error.errno or 0)) from None


def verify_pass(descriptor: int, size_bytes: int, pattern: Pattern, found: Differences, after: After) -> None:
    """Read everything and note in `found` where it is not the pattern. Raises `BrokenOff`."""
    buffer = memoryview(mmap.mmap(-1, CHUNK))
    expected = bytearray(min(CHUNK, size_bytes))
    for offset in range(0, size_bytes, CHUNK):
        part = buffer[: size_bytes - offset]
        if len(part) < len(expected):
            expected = bytearray(len(part))
        pattern.fill(memoryview(expected), offset)
        _whole(os.preadv, descriptor, part, offset)
        # A bytearray compares as memory; two memoryviews would be compared byte by byte.
        if expected != part:
            _note(found, expected, part, offset, pattern)
        after(offset + len(part))
        if found.blocks >= _ENOUGH:
            break


def _note(found: Differences, expected: bytearray, part: memoryview, offset: int, pattern: Pattern) -> None:
    for position in range(0, len(part), BLOCK):
        block = part[position : position + BLOCK]
        if expected[position : position + BLOCK] == block:
            continue
        found.blocks += 1
        if len(found.first) < _NAMED:
            found.first.append(offset + position)
        belongs = pattern.belongs(block)
        if found.misplaced is None and belongs not in {None, offset + position}:
            found.misplaced = (offset + position, belongs or 0)


def _whole(transfer: _Transfer, descriptor: int, part: memoryview, offset: int) -> None:
    done = 0
    while done < len(part):
        try:
            count = transfer(descriptor, [part[done:]], offset + done)
        except OSError as error:
            raise BrokenOff(offset + done, os.strerror(error.errno or 0)) from None
        if not count:
            raise BrokenOff(offset + done, "The disk ends here")
        done += count

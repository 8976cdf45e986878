"""A sample of blocks of a snapshot: each as likely as any other, in one pass over the tree."""

from __future__ import annotations

import errno
import math
import os
import random
import stat
from collections.abc import Callable, Iterator

import msgspec

from host.files import opening
from host.files.opening import Root, Unreachable

MOST_ENTRIES = 300_000  # files and folders that are looked at
_SPARSE = 8  # a file that takes less than this part of its size may be full of holes
_MOST_STRETCHES = 4096  # of data between holes
Names = tuple[bytes, ...]


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A regular file, by its names from the root of the snapshot."""

    names: Names
    size_bytes: int
    allocated_bytes: int


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One block of a file."""

    names: Names
    file_bytes: int
    number: int


class Sample:
    """So many of all blocks that are offered (Li's algorithm L: what is passed over costs nothing)."""

    def __init__(self, most: int, chance: random.Random) -> None:
        self._most, self._chance = most, chance
        self.blocks: list[Block] = []
        self._seen, self._next, self._weight = 0, most, 1.0

    def offer(self, file: File, first: int, count: int) -> None:
        """The blocks of a file from `first` on."""
        end = self._seen + count
        while len(self.blocks) < self._most and self._seen < end:
            self.blocks.append(_block(file, first + count - (end - self._seen)))
            self._seen += 1
            if len(self.blocks) == self._most:
                self._skip(self._seen - 1)
        while self._next < end and len(self.blocks) == self._most:
            block = _block(file, first + count - (end - self._next))
            self.blocks[self._chance.randrange(self._most)] = block
            self._skip(self._next)
        self._seen = end

    def _skip(self, last: int) -> None:
        self._weight *= math.exp(math.log(1.0 - self._chance.random()) / self._most)
        passed = math.log(1.0 - self._chance.random()) / math.log1p(-min(self._weight, 1 - 1e-12))
        self._next = last + 1 + int(min(passed, 1e15))


def _block(file: File, number: int) -> Block:
    return Block(names=file.names, file_bytes=file.size_bytes, number=number)


def files_below(
    root: Root, chance: random.Random, enough: Callable[[int], bool], *, unreadable: Callable[[], None]
) -> Iterator[File]:
    """The regular files of a snapshot, folders in a random order, until `enough` of entries were seen. Never
    through a link, and never onto another device.
    """
    folders: list[Names] = [()]
    seen = 0
    while folders:
        place = chance.randrange(len(folders))
        folders[place], folders[-1] = folders[-1], folders[place]
        path = folders.pop()
        try:
            with opening.folder(root, path) as descriptor, os.scandir(descriptor) as entries:
                for entry in entries:
                    seen += 1
                    if enough(seen):
                        return
                    names = (*path, os.fsencode(entry.name))
                    status = entry.stat(follow_symlinks=False)
                    if status.st_dev != root.device:
                        continue
                    if stat.S_ISDIR(status.st_mode):
                        folders.append(names)
                    elif stat.S_ISREG(status.st_mode) and status.st_size:
                        yield File(
                            names=names, size_bytes=status.st_size, allocated_bytes=status.st_blocks * 512
                        )
        except (OSError, Unreachable):
            unreadable()


def stretches(root: Root, file: File, record_bytes: int) -> list[tuple[int, int]]:
    """The blocks of a file that may hold data, as first and count. Holes are looked for where it takes far
    less than its size.
    """
    whole = -(-file.size_bytes // record_bytes)
    if whole == 1 or file.allocated_bytes * _SPARSE > file.size_bytes:
        return [(0, whole)]
    found: list[tuple[int, int]] = []
    try:
        with opening.file(root, file.names) as descriptor:
            at = 0
            while at < file.size_bytes and len(found) < _MOST_STRETCHES:
                begin = os.lseek(descriptor, at, os.SEEK_DATA)
                at = os.lseek(descriptor, begin, os.SEEK_HOLE)
                first = max(begin // record_bytes, sum(found[-1]) if found else 0)
                if (end := -(-at // record_bytes)) > first:
                    found.append((first, end - first))
    except (OSError, Unreachable):
        pass  # ENXIO: behind it there is no more data
    return found


def read(root: Root, block: Block, size: int) -> bytes:
    """`size` bytes of a block, zeros behind the file's end. Raises `OSError`, `Unreachable`."""
    with opening.file(root, block.names) as descriptor:
        pieces, at = [], 0
        while at < size and (piece := os.pread(descriptor, size - at, block.number * size + at)):
            pieces.append(piece)
            at += len(piece)
    return b"".join(pieces).ljust(size, b"\0")


def is_hole(root: Root, block: Block, size: int) -> bool:
    """Whether nothing is stored of a block. Zeros are stored where they were written uncompressed. Raises
    `OSError`, `Unreachable`."""
    begin = block.number * size
    with opening.file(root, block.names) as descriptor:
        try:
            return os.lseek(descriptor, begin, os.SEEK_DATA) >= begin + size
        except OSError as error:
            if error.errno == errno.ENXIO:  # there is no more data
                return True
            raise

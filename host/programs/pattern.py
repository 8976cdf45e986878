"""What a burn-in writes: pseudo-random bytes in which every block says where it belongs."""

from __future__ import annotations

import struct
from hashlib import sha256, shake_128

BLOCK = 4096
CHUNK = 4 << 20  # what is read or written at once
_SHIFTS = 8 << 20
_STEP = 8 * 12_345_677  # odd times 8: 2^20 chunks, 4 TiB, before a stretch begins at the same byte again
_STAMP = struct.Struct("<8sQ")


class Pattern:
    """The bytes for every place of a disk, the same for the same seed.

    A chunk is a stretch of one pool of random bytes, begun at a place that moves from chunk to chunk, so that
    data of another chunk differs all over. Every block of 4 KiB begins with a mark of the seed, which what an
    earlier burn-in left has not, and with its own offset in bytes. The first block of the disk holds nothing
    else: some partition tables have no magic number, and the kernel takes 3 of 100 random ones for Atari's.
    """

    def __init__(self, seed: bytes) -> None:
        self._pool = memoryview(shake_128(seed).digest(_SHIFTS + CHUNK))
        self._mark = sha256(seed).digest()[:8]

    def fill(self, buffer: memoryview, offset: int) -> None:
        """Make `buffer` (up to CHUNK, in whole sectors) what belongs at `offset`, a multiple of CHUNK."""
        start = offset // CHUNK * _STEP % _SHIFTS
        buffer[:] = self._pool[start : start + len(buffer)]
        if not offset:
            buffer[:BLOCK] = bytes(len(buffer[:BLOCK]))
        mark, pack_into = self._mark, _STAMP.pack_into
        for position in range(0, len(buffer), BLOCK):
            pack_into(buffer, position, mark, offset + position)

    def belongs(self, block: memoryview) -> int | None:
        """The offset that a block was written for; None where it is none of this pattern."""
        mark, offset = _STAMP.unpack_from(block)
        return int(offset) if mark == self._mark else None

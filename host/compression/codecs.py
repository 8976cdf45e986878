"""The compressions that OpenZFS offers, each with the size that it makes of a block and the time it takes.

gzip is zlib's. zstd is that of OpenZFS 2.3 (zstd 1.4.5, module/zstd): the sizes of today's library are within
2 % of that for files of most kinds, with the parameters of that time where they have changed since. Of very
regular data, such as logs, that one stores up to 8 % more from level 15 on.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Protocol

import lz4.block
import msgspec
import zstandard

from host.compression import lz4 as openzfs_lz4
from host.compression import zle
from host.compression.stored import most

LEVELS = range(1, 20)
# What `zfs set compression=` takes. Of the other zstd-fast levels today's library makes sizes that are up to
# a half off, so they are left out.
NAMES = (
    "off", "zle", "lz4", "zstd-fast-1", *(f"zstd-{level}" for level in LEVELS),
    *(f"gzip-{level}" for level in range(1, 10)),
)  # fmt: skip
_LZ4_HEADER, _ZSTD_HEADER = 4, 8
_MAGIC = 4  # of a zstd frame, which OpenZFS leaves out
# Compressed in pieces, so that a block of 16 MiB keeps nobody waiting: from this level of zstd on that makes
# sizes within 0.1 %, below it up to 1 % more; of gzip the same.
_PIECES_LEVEL, _PIECE_BYTES = 13, 1 << 20
_ABORT_LEVEL, _ABORT_BYTES = 3, 128 << 10  # zstd_cutoff_level, zstd_abort_size in module/zstd/zfs_zstd.c
# Window, chain, hash, search (logarithms), shortest match, target length, strategy: of zstd 1.4.5 by level,
# where today's are others, for blocks of more than so many bytes.
_OF_OPENZFS: tuple[tuple[int, dict[int, tuple[int, ...]]], ...] = (
    (256 << 10, {
        5: (21, 18, 19, 2, 5, 2, 3), 6: (21, 19, 19, 3, 5, 4, 3), 7: (21, 19, 19, 3, 5, 8, 4),
        8: (21, 19, 19, 3, 5, 16, 5), 9: (21, 19, 20, 4, 5, 16, 5), 10: (22, 20, 21, 4, 5, 16, 5),
        11: (22, 21, 22, 4, 5, 16, 5), 12: (22, 21, 22, 5, 5, 16, 5), 13: (22, 21, 22, 5, 5, 32, 6),
    }),
    (128 << 10, {4: (18, 16, 17, 2, 5, 2, 3), 5: (18, 18, 18, 3, 5, 2, 3)}),
    (16 << 10, {
        6: (17, 17, 17, 3, 4, 4, 4), 7: (17, 17, 17, 3, 4, 8, 5), 8: (17, 17, 17, 4, 4, 8, 5),
        9: (17, 17, 17, 5, 4, 8, 5), 10: (17, 17, 17, 6, 4, 8, 5),
    }),
)  # fmt: skip


class Timed(msgspec.Struct, frozen=True, kw_only=True):
    """One block by one compression: `packed_bytes` is None where OpenZFS would store it as it is.

    Seconds are of the processor; None where nothing of ours is as fast or slow as OpenZFS.
    """

    packed_bytes: int | None
    in_s: float | None = 0.0
    out_s: float | None = 0.0


def of_zeros() -> dict[str, Timed]:
    """What becomes of a block of zeros: any compression makes a hole of it before it compresses anything
    (`zio_compress_data`), and without one it is stored as it is."""
    plain, hole = Timed(packed_bytes=None), Timed(packed_bytes=0)
    return {name: plain if name == "off" else hole for name in NAMES}


class _Ended(Exception):
    """Somebody asked for the end in the middle of a block."""


class _Packer(Protocol):
    """Of zlib and of zstandard."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


class Codecs:
    """Compresses blocks. `clock` is in seconds of the processor."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._asked: Callable[[], bool] = lambda: False
        self._unpack = zstandard.ZstdDecompressor()

    def each(self, block: bytes, asked: Callable[[], bool]) -> dict[str, Timed] | None:
        """All of `NAMES`; None where somebody `asked` for the end in between."""
        self._asked = asked
        found: dict[str, Timed] = {}
        try:
            for name in NAMES:
                self._go_on()
                found[name] = self._one(name, block, found)
        except _Ended:
            return None
        return found

    def _go_on(self) -> None:
        if self._asked():
            raise _Ended

    def _in_pieces(self, block: bytes, packer: _Packer) -> bytes:
        packed = []
        for at in range(0, len(block), _PIECE_BYTES):
            packed.append(packer.compress(block[at : at + _PIECE_BYTES]))
            self._go_on()
        return b"".join((*packed, packer.flush()))

    def _one(self, name: str, block: bytes, before: dict[str, Timed]) -> Timed:
        if name == "off":
            return Timed(packed_bytes=None)
        limit = most(len(block))
        if name == "zle":
            return Timed(packed_bytes=zle.size(block, limit), in_s=None, out_s=None)
        if name == "lz4":
            timed = self._timed(
                block, lambda: lz4.block.compress(block, store_size=False),
                lambda packed: lz4.block.decompress(packed, uncompressed_size=len(block)), limit + len(block),
            )  # fmt: skip
            bare = openzfs_lz4.size(block, limit - _LZ4_HEADER)
            return _kept(timed, None if bare is None else bare + _LZ4_HEADER)
        kind, _, level = name.rpartition("-")
        if kind == "gzip":
            return self._timed(
                block, lambda: self._in_pieces(block, zlib.compressobj(int(level))), zlib.decompress, limit
            )
        number = -int(level) if kind == "zstd-fast" else int(level)
        if number >= _ABORT_LEVEL and len(block) >= _ABORT_BYTES and (tried := _rejected(limit, before)):
            return tried
        packer = zstandard.ZstdCompressor(compression_params=_parameters(number, len(block)))
        timed = self._timed(
            block, lambda: self._zstd(packer, number, block),
            lambda packed: self._unpack.decompress(packed, max_output_size=len(block)),
            limit + _MAGIC - _ZSTD_HEADER,
        )  # fmt: skip
        if timed.packed_bytes is None:
            return timed
        return msgspec.structs.replace(timed, packed_bytes=timed.packed_bytes - _MAGIC + _ZSTD_HEADER)

    def _zstd(self, packer: zstandard.ZstdCompressor, level: int, block: bytes) -> bytes:
        if level < _PIECES_LEVEL:
            return packer.compress(block)
        return self._in_pieces(block, packer.compressobj(size=len(block)))

    def _timed(
        self, block: bytes, pack: Callable[[], bytes], unpack: Callable[[bytes], bytes], limit: int
    ) -> Timed:
        begin = self._clock()
        packed = pack()
        middle = self._clock()
        if len(packed) > limit:
            return Timed(packed_bytes=None, in_s=middle - begin)
        unpack(packed)
        return Timed(packed_bytes=len(packed), in_s=middle - begin, out_s=self._clock() - middle)


def _kept(timed: Timed, packed_bytes: int | None) -> Timed:
    """With the size that OpenZFS makes; what it stores as it is takes no time to read."""
    out_s = 0.0 if packed_bytes is None else timed.out_s
    return Timed(packed_bytes=packed_bytes, in_s=timed.in_s, out_s=out_s)


def _rejected(limit: int, before: dict[str, Timed]) -> Timed | None:
    """Where LZ4 and then zstd-1 save too little, OpenZFS does not try the level at all."""
    quick, first = before["lz4"], before["zstd-1"]
    if quick.packed_bytes is not None and quick.packed_bytes < limit:
        return None
    if first.packed_bytes is not None:
        return None
    return Timed(packed_bytes=None, in_s=(quick.in_s or 0.0) + (first.in_s or 0.0))


def _parameters(level: int, size: int) -> zstandard.ZstdCompressionParameters:
    flags = {"write_content_size": False, "write_checksum": False}
    levels = next((levels for above, levels in _OF_OPENZFS if size > above), {})
    if level not in levels:
        return zstandard.ZstdCompressionParameters.from_level(level, source_size=size, **flags)
    window, chain, hashed, search, match, target, strategy = levels[level]
    return zstandard.ZstdCompressionParameters(
        window_log=window, chain_log=chain, hash_log=hashed, search_log=search, min_match=match,
        target_length=target, strategy=strategy, **flags,
    )  # fmt: skip

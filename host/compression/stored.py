"""What OpenZFS stores of a block, as `zio_write_compress` in module/zfs/zio.c decides it (OpenZFS 2.3)."""

from __future__ import annotations

SECTOR = 512  # SPA_MINBLOCKSIZE
_EMBEDDED = 112  # BPE_PAYLOAD_SIZE: so much fits into the block's pointer


def rounded(size: int, unit: int) -> int:
    """`size` up to whole units."""
    return -(-size // unit) * unit


def block_bytes(file_bytes: int, record_bytes: int) -> int:
    """The size of each block of a file, before compression: one of its own size where it fits into one."""
    return min(rounded(file_bytes, SECTOR), record_bytes)


def most(block: int) -> int:
    """What a compressed block may take: an eighth has to be saved, or it is stored as it is."""
    return block - (block >> 3)


def stored(block: int, packed: int | None, *, ashift: int, embeds: bool) -> int:
    """Bytes on disk, parity aside, of a block of which `packed` is the compressed size; None where it would
    be more than `most` of it. With `embeds` the smallest take none: they are kept in their pointer.
    """
    unit = 1 << ashift
    if packed is None or packed > most(block):
        return rounded(block, unit)
    if embeds and packed <= _EMBEDDED:
        return 0
    whole = rounded(packed, unit)
    return whole if whole < block else rounded(block, unit)

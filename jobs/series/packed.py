"""Values of one series in a row, as few bytes as can be.

32-bit floats whose last 8 bits are rounded away (an error of 1 in 65 000), sorted by the place of the byte,
then deflated: bytes that hardly change stand beside one another.
"""

from __future__ import annotations

import math
import zlib
from array import array
from collections.abc import Sequence

_MOST_BYTES = 4096  # unpacked: 24 hours with their extremes are 288
NOTHING = math.nan  # where nothing was measured


def pack(values: Sequence[float]) -> bytes:
    """`values` in order; `NOTHING` where there is none."""
    bits = array("I", array("f", values).tobytes())
    raw = array("I", (_rounded(one) for one in bits)).tobytes()
    return zlib.compress(b"".join(raw[place::4] for place in range(4)), 6)


def unpack(packed: bytes) -> array[float]:
    """What was packed."""
    planes = zlib.decompressobj().decompress(packed, _MOST_BYTES)  # the console can write the file too
    count, raw = len(planes) // 4, bytearray(len(planes))
    for place in range(4):
        raw[place::4] = planes[place * count : (place + 1) * count]
    return array("f", bytes(raw))


def _rounded(bits: int) -> int:
    """To the nearest; what is no number, or would become infinite by it, only loses its last bits."""
    return bits & 0xFFFFFF00 if bits & 0x7F800000 >= 0x7F000000 else (bits + 0x80) & 0xFFFFFF00

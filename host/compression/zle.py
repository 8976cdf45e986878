"""How many bytes OpenZFS's ZLE makes of a block: runs of zeros become one byte each (module/zfs/zle.c)."""

from __future__ import annotations

import re

# A run of up to 192 zeros, or up to 64 bytes of which no two zeros follow each other and the last is none.
_CHUNK = re.compile(rb"\0{1,192}|(?:[^\0]|\0(?!\0)){0,63}[^\0]", re.DOTALL)
_LITERALS = 64


def size(block: bytes, most: int) -> int | None:
    """Of the compressed block; None where it would be more than `most`."""
    written = 0
    for chunk in _CHUNK.finditer(block):
        if written >= most - 1:
            return None
        written += 1
        begin, end = chunk.span()
        if block[begin]:
            if most - written < _LITERALS:
                return None
            written += end - begin
    return written

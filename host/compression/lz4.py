"""How many bytes OpenZFS's own LZ4 makes of a block.

OpenZFS compresses by the LZ4 of December 2012 (module/zfs/lz4_zfs.c): a greedy parse with one table of
places, hashed by four bytes. Today's liblz4 hashes by five and stores up to 7 % more or less, so its sizes
are no prediction. This counts what that parse would write, to the byte, and writes nothing.
"""

from __future__ import annotations

from array import array

_FAR = 65_535  # the farthest that a match may lie back
_NEAR_BYTES = (1 << 16) + 11  # blocks below that have a table of their own
_LAST, _MATCH = 5, 4  # bytes at the end that are literals; the shortest match
_TAIL = 12  # no match begins in these at the end
_PRIME, _MASK = 2_654_435_761, 0xFFFF_FFFF


def size(block: bytes, most: int) -> int | None:
    """Of the compressed block without OpenZFS's header; None where it is, or becomes, more than `most`."""
    total = len(block)
    if total <= _TAIL:
        return _end(0, total, most)
    near = total < _NEAR_BYTES
    shift, far = (19, total) if near else (20, _FAR)
    words = [array("I", block[offset : offset + (total - offset) // 4 * 4]) for offset in range(4)]
    table = [0] * (1 << (32 - shift))
    begins_at_most = total - _TAIL
    written = place = anchor = 0
    table[(words[0][0] * _PRIME & _MASK) >> shift] = 0
    place = 1
    word = words[1][0]
    while True:
        tries, ahead, ahead_word = 67, place, word
        while True:  # until a match is found
            place, word = ahead, ahead_word
            ahead = place + (tries >> 6)
            tries += 1
            if ahead > begins_at_most:
                return _end(written, total - anchor, most)
            ahead_word = words[ahead & 3][ahead >> 2]
            key = (word * _PRIME & _MASK) >> shift
            match = table[key]
            table[key] = place
            if words[match & 3][match >> 2] == word and place - match <= far:
                break
        while place > anchor and match > 0 and block[place - 1] == block[match - 1]:
            place, match = place - 1, match - 1
        literals = place - anchor
        # The kernel gives up where token, literals, offset and the last literals would not fit.
        if written + literals + 9 + (literals >> 8) > most:
            return None
        written += 1 + literals + _more(literals)
        while True:  # for as long as one match follows another
            length = _same(block, place + _MATCH, match + _MATCH, total - _LAST)
            written += 2 + _more(length)
            if written + 6 > most:
                return None
            place = anchor = place + _MATCH + length
            if place > begins_at_most:
                return _end(written, total - anchor, most)
            before = place - 2
            table[(words[before & 3][before >> 2] * _PRIME & _MASK) >> shift] = before
            word = words[place & 3][place >> 2]
            key = (word * _PRIME & _MASK) >> shift
            match = table[key]
            table[key] = place
            if words[match & 3][match >> 2] != word or place - match > far:
                break
            written += 1
        place += 1
        word = words[place & 3][place >> 2]


def _end(written: int, literals: int, most: int) -> int | None:
    written += 1 + literals + _more(literals)
    return written if written <= most else None


def _more(length: int) -> int:
    """Bytes that a length takes beyond its half of a token."""
    return (length - 15) // 255 + 1 if length >= 15 else 0


def _same(block: bytes, place: int, match: int, end: int) -> int:
    """How many bytes from either place on are alike, up to `end`."""
    begin, step = place, 8
    while place + step <= end and block[place : place + step] == block[match : match + step]:
        place, match, step = place + step, match + step, min(step * 2, 4096)
    while step:
        if place + step <= end and block[place : place + step] == block[match : match + step]:
            place, match = place + step, match + step
        else:
            step //= 2
    return place - begin

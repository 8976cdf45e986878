"""Compares two versions of a text, within bounds: what is larger, or no text, is said to be."""

from __future__ import annotations

import difflib
import os
from itertools import islice

from host.files.answers import TextDiff
from host.files.opening import Unreachable

MOST_BYTES = 1 << 20  # of each version
MOST_LINES = 2_000  # of the comparison
_LONGEST_LINE = 2_000
_MOST_COMPARED = (
    4_000  # lines of each version between what they begin and end with alike: it takes their product
)


def read_text(descriptor: int) -> list[str]:
    """The lines of an open file. Raises `Unreachable` for one that is too large, or no text."""
    data = bytearray()
    while len(data) <= MOST_BYTES and (part := os.read(descriptor, MOST_BYTES + 1 - len(data))):
        data += part
    return lines_of(bytes(data))


def lines_of(data: bytes) -> list[str]:
    """The lines of a text in UTF-8. Raises `Unreachable` for one that is too large, or no text."""
    if len(data) > MOST_BYTES:
        raise Unreachable(
            "too-large", f"Only texts up to {MOST_BYTES >> 10} KiB are compared. Download both instead."
        )
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise Unreachable("binary", "This is no text, so its versions cannot be compared line by line.")
    return text.splitlines()


def compare(before: list[str], after: list[str], *, labels: tuple[str, str]) -> TextDiff:
    """As `diff -u`. Raises `Unreachable` where too much lies between the first and the last difference."""
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    if max(len(before), len(after)) - start - end > _MOST_COMPARED:
        raise Unreachable(
            "too-large", "Too much differs to be compared here. Download both versions instead."
        )
    context = 3
    first, behind = max(0, start - context), max(0, end - context)
    lines = difflib.unified_diff(
        before[first : len(before) - behind],
        after[first : len(after) - behind],
        *labels,
        lineterm="",
    )
    shown = [_moved(line, first)[:_LONGEST_LINE] for line in islice(lines, MOST_LINES + 1)]
    return TextDiff(lines=tuple(shown[:MOST_LINES]), cut=len(shown) > MOST_LINES)


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines they begin with alike."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _moved(line: str, by: int) -> str:
    """A heading such as `@@ -1,7 +1,8 @@` with the line numbers of the whole text."""
    if not by or not line.startswith("@@ "):
        return line
    _, before, after, _ = line.split(" ", 3)
    moved = (
        f"{word[0]}{','.join([str(int(word[1:].split(',')[0]) + by), *word.split(',')[1:]])}"
        for word in (before, after)
    )
    return f"@@ {' '.join(moved)} @@"

"""What a property's values are, read from ZFS's own words for them, such as `on | off | gzip-[1-9]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

Rule = Callable[[str], str | None]  # why a value is refused; None when it is taken

_SIZE = re.compile(r"[0-9]+(\.[0-9]+)?([KMGTPE]i?B?|B)?", re.IGNORECASE)
_POWER = re.compile(r"(zero or )?(\d+)([kM]?) to (\d+)([kM]), power of 2")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}
_MOST_SPELLED = 200


def words_of(values: str) -> tuple[str, ...]:
    """The words that can be chosen from; empty where something else than words can be given too.

    `sha256[,verify]` is two words, `gzip-[1-9]` nine.
    """
    parts = values.split(" | ")
    if any(" " in part or part.startswith("<") for part in parts) or values == "-":
        return ()
    return tuple(chain.from_iterable(map(_spelled, parts)))


def rule_of(values: str, *, also: frozenset[str] = frozenset(), largest: int = 0) -> Rule:
    """The rule that ZFS's words for a property's values amount to.

    `also` are further spellings that zfs takes; `largest` is a bound in bytes beyond the one in the words.
    What the words leave open (`<path>`, `NFS share options`) takes any text.
    """
    if found := _POWER.fullmatch(values):
        low = int(found[2]) * _UNITS[found[3].upper()]
        high = max(largest, int(found[4]) * _UNITS[found[5].upper()])
        return _power(low, high, zero=found[1] is not None)
    if words := words_of(values):
        said = ", ".join(values.split(" | "))
        return lambda value: None if value in words or value in also else f"Allowed are {said}."
    parts = values.split(" | ")
    plain = also | {part for part in parts if not part.startswith("<") and " " not in part}
    if "<size>" in parts:
        return lambda value: None if value in plain else _size_fault(value, plain)
    if "<count>" in parts:
        message = "Give a whole number, or none."
        return lambda value: None if value in plain or _is_count(value) else message
    return lambda value: None


def _size_fault(value: str, plain: frozenset[str] | set[str]) -> str | None:
    if _SIZE.fullmatch(value) and len(value) <= 30:
        return None
    return f"Give bytes, or a number with K, M, G or T{''.join(f', or {word}' for word in sorted(plain))}."


def _is_count(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) <= 19


def _power(low: int, high: int, *, zero: bool) -> Rule:
    def fault(value: str) -> str | None:
        found = re.fullmatch(r"([0-9]{1,12})([KM]?)B?", value.upper())
        size = int(found[1]) * _UNITS[found[2]] if found else -1
        if (low <= size <= high and size & (size - 1) == 0) or (zero and size == 0):
            return None
        return f"{'Zero or a' if zero else 'A'} power of two, {low} to {high}."

    return fault


def _spelled(part: str) -> Iterator[str]:
    """`gzip-[1-9]` → gzip-1 …; `sha256[,verify]` → both; anything else is itself."""
    found = re.fullmatch(r"([^\[]*)\[([^\]]*)\]", part)
    if found is None:
        yield part
        return
    before, inside = found[1], found[2]
    if inside.startswith(","):
        yield from (before, before + inside)
        return
    for piece in inside.split(","):
        first, dash, last = piece.partition("-")
        if dash and first.isdecimal() and last.isdecimal() and int(last) - int(first) <= _MOST_SPELLED:
            yield from (f"{before}{number}" for number in range(int(first), int(last) + 1))
        else:
            yield before + piece

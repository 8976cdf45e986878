"""Numbers and sizes as they are typed."""

from __future__ import annotations

UNITS = {"M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

NO_NUMBER = -1  # refused with the words of the field
SAY_A_NUMBER = "Type a number such as 500, or nothing for no limit."


def bytes_typed(text: str, unit: str) -> int | None:
    """Bytes; None for nothing typed, `NO_NUMBER` for what is none."""
    text = text.strip().replace(",", ".")
    if text in {"", "none"}:
        return None
    try:
        size = int(float(text) * UNITS.get(unit, UNITS["G"]))
    except (ValueError, OverflowError):
        return NO_NUMBER
    return size if size >= 0 else NO_NUMBER


def whole_typed(text: str) -> int | str:
    """A whole number; what is none, or is too long, as it was typed: the rule of its field refuses it."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else text

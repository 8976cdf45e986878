"""Sizes and times in words."""

from __future__ import annotations

from datetime import UTC, datetime
from math import ceil

from django.utils import timezone

from jobs.wording import grouped

_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_DECIMAL = ("B", "KB", "MB", "GB", "TB", "PB", "EB")
_AGES = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def binary(size_bytes: int) -> str:
    """`3000592982016` → `2.73 TiB`: three digits that count."""
    return _scaled(size_bytes, 1024, _BINARY)


def decimal(size_bytes: int) -> str:
    """`3000592982016` → `3.00 TB`: as the label on the disk has it."""
    return _scaled(size_bytes, 1000, _DECIMAL)


def exact(size_bytes: int) -> str:
    """A size as the disk's label has it, and in full."""
    return f"{decimal(size_bytes)}, {grouped(size_bytes)} bytes"


def moment(text: str | datetime | None) -> datetime | None:
    """An ISO 8601 time as a datetime in UTC; None for None."""
    if text is None:
        return None
    found = datetime.fromisoformat(text) if isinstance(text, str) else text
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def stamp(found: datetime, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """A moment by the clocks of the machine, with the name of their time: `2026-07-01 04:30:00 CEST`."""
    return f"{timezone.localtime(found):{form} %Z}"


def age(seconds: float) -> str:
    """`90` → `1 min ago`."""
    for length, unit in _AGES:
        if seconds >= length:
            return f"{int(seconds // length)} {unit} ago"
    return "just now"


def left(seconds: float) -> str:
    """How long a light stays on: `40` → `off in 40 s`. The script says the same while the time passes."""
    if seconds < 1:
        return "off now"
    return f"off in {ceil(seconds)} s" if seconds < 100 else f"off in {ceil(seconds / 60)} min"


def span(seconds: float) -> str:
    """A length of time in its two largest units: `5400` → `1 h 30 min`."""
    left = max(0, round(seconds))
    words: list[str] = []
    for length, unit in _AGES:
        count, left = divmod(left, length)
        began = bool(words)
        words += [f"{count} {unit}"] if count else []
        if began:
            break
    return " ".join(words) or "0 s"


def roughly(seconds: float) -> str:
    """A length of time in one unit, for estimates: `129600` → `≈ 36 h`."""
    for length, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        # From two of a unit on: "36 h" says more than "1 d" or "2 d".
        if seconds >= 2 * length:
            return f"≈ {round(seconds / length)} {unit}"
    return "≈ 1 min"


def rate(bytes_per_second: float) -> str:
    """`185000000` → `185 MB/s`: as disks are sold, in powers of ten."""
    return f"{decimal(round(bytes_per_second))}/s"


def worn(hours: int) -> str:
    """Hours under power in one unit: `30000` → `3.4 y`."""
    years = hours / 8766
    return f"{years:.1f} y" if years >= 1 else f"{hours // 24} d" if hours >= 48 else f"{hours} h"


def _scaled(size: int, base: int, units: tuple[str, ...]) -> str:
    value, unit = float(size), units[0]
    for unit in units:
        # 999.5 of a unit would print as four digits: it is one of the next.
        if value < min(base, 999.5) or unit == units[-1]:
            break
        value /= base
    if unit == units[0]:
        return f"{size} {unit}"
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"

"""How a pool filled up in the last three months, and when it will be full, for its card."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from django.core.cache import cache

from alerts.doctor.trend import Trend, until_full
from alerts.doctor.words import size, until_full_words
from alerts.gathering import spaces
from frontend.curve import Curve, sparkline
from host.inventory import Inventory

_AGAIN_S, _GIB = 600, 1 << 30


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """In words, and as a curve where there are two points."""

    words: str
    detail: str = ""
    curve: Curve | None = None


def growths(inventory: Inventory) -> dict[str, Growth]:
    """Of each pool that tells its space, by its name."""
    found = {}
    for pool in inventory.pools:
        root = inventory.dataset(pool.name)
        if root is None or pool.suspended or root.value("used") is None:
            continue
        free = root.number("available") // _GIB * _GIB
        # Reading three months is some work, and no poll is to do it again.
        key = f"growth:{pool.guid}:{free}"
        if (known := cache.get(key)) is None:
            cache.set(key, known := _growth(pool.guid, free), _AGAIN_S)
        found[pool.name] = known
    return found


def _growth(guid: str, free_bytes: int) -> Growth:
    known = spaces((guid,), datetime.now(UTC))[guid]
    trend = until_full(known.times, known.used, free_bytes)
    return Growth(
        words=_words(trend), detail=_detail(trend), curve=sparkline(known.times, known.used, floor=0.0)
    )


def _words(trend: Trend | None) -> str:
    if trend is None:
        return f"Days until full: {until_full_words(None)}"
    if trend.earliest_days is None:
        return "Not growing"
    return f"Full in {until_full_words(trend)}"


def _detail(trend: Trend | None) -> str:
    if trend is None:
        return ""
    sign = "+" if trend.bytes_per_day >= 0 else "−"
    return f"{sign}{size(abs(trend.bytes_per_day))} a day, over {trend.seen_days} days"

"""What was measured of ZFS's cache and of the memory, for who says whether it should be larger."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from host.inventory import ArcBounds, Inventory
from host.kernel.arc import read_arc
from jobs import series
from jobs.series.collecting import kernel_files

SPANS = {
    "hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7),
    "month": timedelta(days=30),
}  # fmt: skip


class ArcFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes, percent, and requests a second. None: not measured, or ZFS is not loaded."""

    memory_bytes: int
    live: ArcBounds | None = None
    size_bytes: int | None = None
    metadata_percent: float | None = None
    hit_percent: dict[str, float] = {}  # of what programs asked for, by span
    ghost_hits: float | None = None  # of blocks that were dropped shortly before, over a day
    pressure_percent: float | None = None  # of the last hour, in which something waited for memory
    swap_bytes: float | None = None


def gather(inventory: Inventory, now: datetime) -> ArcFigures:
    """From the series, and what the kernel says now."""
    cached = read_arc(kernel_files())
    hits = {name: series.mean("arc.demand_hit_percent", now, span) for name, span in SPANS.items()}
    return ArcFigures(
        memory_bytes=inventory.facts.memory_bytes,
        live=inventory.arc.live,
        size_bytes=cached.size if cached else None,
        metadata_percent=100 * cached.metadata / cached.size if cached and cached.size else None,
        hit_percent={name: percent for name, percent in hits.items() if percent is not None},
        ghost_hits=series.mean("arc.ghost_hits", now, SPANS["day"]),
        pressure_percent=series.mean("pressure.memory_percent", now, SPANS["hour"]),
        swap_bytes=series.mean("memory.swap_bytes", now, timedelta(minutes=5)),
    )

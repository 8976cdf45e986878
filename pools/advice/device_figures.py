"""What was measured of a pool and of the cache, for who says whether a device would help."""

from __future__ import annotations

from datetime import datetime, timedelta

from host.inventory import Pool
from jobs import series
from pools.advice.devices import DeviceFigures
from pools.datasets.traffic import COMMITS

_DAY = timedelta(days=1)


def gather(pool: Pool, now: datetime) -> DeviceFigures:
    """From the series."""
    return DeviceFigures(
        commits=series.mean(f"{COMMITS}:{pool.guid}", now, _DAY),
        hit_percent=series.mean("arc.demand_hit_percent", now, _DAY),
        ghost_hits=series.mean("arc.ghost_hits", now, _DAY),
    )

"""A pool live: what each vdev and disk does now, and how far what takes hours has come."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from alerts.live.watching import sample_of
from frontend.access import page, part, unchanged
from frontend.jobs.progress import progress_views
from frontend.missing import missing
from frontend.pools.live_view import live_curves, live_rows
from frontend.states import pool_state
from jobs import cache


@page("pools:read")
def live(request: HttpRequest, name: str) -> HttpResponseBase:
    """To open it, and each of its polls, asks the worker for samples; ten seconds later it takes no more."""
    inventory = cache.current()
    pool = inventory.pool(name) if inventory else None
    if inventory is None or pool is None:
        return missing(request, f"There is no pool {name}")
    sample = sample_of(pool)
    mark = f"{inventory.as_of}.{sample.at if sample else ''}"
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "pool": pool,
        "state": pool_state(pool),
        "rows": live_rows(pool, inventory, sample) if sample else (),
        "curves": live_curves(sample.history) if sample else (),
        "sampled_at": sample.at if sample else None,
        "progress": progress_views(pool, inventory.as_of),
    }
    return render(request, part(request, "pools/live.html"), context)

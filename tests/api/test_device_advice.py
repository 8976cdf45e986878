"""Whether a log, cache or special device would help, through the API and beside the form that adds one."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

from jobs import cache, series
from jobs.series.values import Point


def test_it_follows_from_what_was_measured(tank: dict[str, Any], api: APIClient) -> None:
    before = api.get("/api/v1/pools/tank/device-advice/").json()
    assert {one["verdict"] for one in before["results"]} == {"not-measured"}
    inventory = cache.current()
    assert inventory is not None
    now = int(timezone.now().timestamp())
    series.record(
        Point(f"pool.commits:{inventory.pools[0].guid}", now - 60 * back, 30.0) for back in range(5)
    )
    after = api.get("/api/v1/pools/tank/device-advice/").json()
    assert after["measured"] == {"commits": 30.0, "hit_percent": None, "ghost_hits": None}
    log = after["results"][0]
    assert (log["role"], log["verdict"]) == ("log", "helps")
    assert api.get("/api/v1/pools/none/device-advice/").status_code == 404

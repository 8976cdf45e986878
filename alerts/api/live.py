"""`pools/{name}/live/`."""

from __future__ import annotations

from datetime import datetime

from rest_framework.request import Request
from rest_framework.response import Response

from alerts.api.shapes import LiveAnswer
from alerts.live.progress import under_way
from alerts.live.watching import sample_of
from jobs.api.document import describe
from jobs.api.views import View, found, inventory_now


class Live(View):
    """What a pool does at this moment."""

    area = "pools"

    @describe("get_pool_live", {200: LiveAnswer})
    def get(self, request: Request, name: str) -> Response:
        """Operations, bytes and latencies per vdev and disk, and how far what takes hours has come."""
        inventory = inventory_now()
        pool = found(inventory.pool(name), "pool")
        sample = sample_of(pool)
        at = datetime.fromisoformat(inventory.as_of)
        return Response(
            LiveAnswer(
                pool=pool.name, guid=pool.guid, state=pool.state, sample=sample,
                progress=under_way(pool, at), as_of=sample.at if sample else inventory.as_of,
            )
        )  # fmt: skip

"""`system/settings/arc/`: how much memory ZFS may cache in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.contents.arc import default_max
from host.inventory import ArcBounds
from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now
from machine.arc.advice import ArcAdvice, advice
from machine.arc.figures import gather
from machine.arc.set_arc import SetArc


class ArcAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes. `max_bytes` and `min_bytes` are what was set for each start, null where ZFS decides;
    `live_max_bytes` and `live_min_bytes` what holds now, and `size_bytes` what is cached, null where ZFS is
    not loaded. `hit_percent` is the share of what programs asked for that came from memory, over the last
    `hour`, `day`, `week` and `month`; `ghost_hits` how many requests a second asked for what was dropped
    shortly before, over a day. `altered`: the file that says it was changed by hand; `others`: files that set
    the same."""

    max_bytes: int | None
    min_bytes: int | None
    live_max_bytes: int | None
    live_min_bytes: int | None
    size_bytes: int | None
    default_max_bytes: int
    hit_percent: dict[str, float]
    ghost_hits: float | None
    advice: tuple[ArcAdvice, ...]
    memory_bytes: int
    altered: bool
    others: tuple[str, ...]
    as_of: Moment


class ArcSettings(View):
    """ZFS's cache in memory."""

    area = "system"

    @describe("get_arc", {200: ArcAnswer})
    def get(self, request: Request) -> Response:
        """How large the cache may be, and is."""
        inventory = inventory_now()
        arc, kept = inventory.arc, inventory.arc.kept or ArcBounds()
        figures = gather(inventory, datetime.now(UTC))
        return Response(
            ArcAnswer(
                max_bytes=kept.max_bytes or None, min_bytes=kept.min_bytes or None,
                live_max_bytes=arc.live.max_bytes if arc.live else None,
                live_min_bytes=arc.live.min_bytes if arc.live else None,
                size_bytes=figures.size_bytes, hit_percent=figures.hit_percent,
                ghost_hits=figures.ghost_hits, advice=advice(figures),
                default_max_bytes=default_max(inventory.facts.memory_bytes),
                memory_bytes=inventory.facts.memory_bytes,
                altered=arc.altered, others=arc.others, as_of=inventory.as_of,
            )
        )  # fmt: skip

    @writes("machine.set-arc", SetArc)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Limit the cache, or let ZFS decide."""
        return {}

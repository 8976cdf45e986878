"""`pools/{name}/events/`: what zed reported of a pool and its disks."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.models import ZfsEvent
from alerts.zed.classes import Tone
from host.typed import convert
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now


class PoolEventAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Events of one class and vdev that followed each other, from `at` to `last_at`; `count` is how many.

    `event` is OpenZFS's own class (zpool-events(8)); `vdev` is a guid, or null for the pool as a whole. The
    kernel reports at most twenty checksum errors or delays a second of one vdev: how many there were in all,
    the pool's own counters say.
    """

    id: int
    at: Moment
    last_at: Moment
    event: str
    vdev: str | None
    tone: Tone
    count: int
    words: str


class PoolEventPage(msgspec.Struct, frozen=True, kw_only=True):
    """What zed reported, newest first."""

    results: tuple[PoolEventAnswer, ...]
    next: str | None


class PoolEvents(View):
    """What zed reported of one pool."""

    area = "pools"

    @describe("list_pool_events", {200: PoolEventPage}, parameters=PAGING)
    def get(self, request: Request, name: str) -> Response:
        """A page of events."""
        pool = found(inventory_now().pool(name), "pool")
        return paging.of_rows(request, ZfsEvent.objects.filter(pool_guid=pool.guid), show=_event)


def _event(row: ZfsEvent) -> PoolEventAnswer:
    return PoolEventAnswer(
        id=row.pk, at=_iso(row.at), last_at=_iso(row.last_at), event=row.event, vdev=row.vdev_guid or None,
        tone=convert(row.tone, Tone), count=row.count, words=row.words,
    )  # fmt: skip


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds")

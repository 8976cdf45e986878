"""`snapshots/`, always of one dataset and never all at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Snapshot
from jobs import cache
from jobs.api import paging, query
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from jobs.models import CachedSnapshot
from pools.snapshots import index
from pools.snapshots.destroy_snapshots import DestroySnapshots
from pools.snapshots.take_snapshot import TakeSnapshot

_DATASET = OpenApiParameter("dataset", str, OpenApiParameter.QUERY, required=True)


class SnapshotAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot. `name` is `dataset@tag`."""

    name: str
    dataset: str
    tag: str
    guid: str
    created_at: Moment
    used_bytes: int
    referenced_bytes: int
    holds: int
    clones: tuple[str, ...]
    as_of: Moment


class SnapshotPage(msgspec.Struct, frozen=True, kw_only=True):
    """Snapshots of one dataset, oldest first."""

    results: tuple[SnapshotAnswer, ...]
    next: str | None
    as_of: Moment


class Snapshots(View):
    """The snapshots of a dataset."""

    area = "pools"

    @describe("list_snapshots", {200: SnapshotPage}, parameters=[_DATASET, *PAGING])
    def get(self, request: Request) -> Response:
        """A page of snapshots."""
        inventory = inventory_now()
        name = request.query_params.get("dataset")
        if not name:
            raise query.required("dataset", "Say of which dataset: ?dataset=pool/name.")
        dataset = found(inventory.dataset(name), "dataset")
        cursor = query.cursor(request)
        if cursor is not None and not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 18):
            raise query.bad_cursor()
        page, following = index.page(dataset.name, after=cursor, limit=query.limit(request))
        results = [_snapshot(snapshot, inventory.as_of) for snapshot in page]
        return paging.answer(request, results, following, as_of=inventory.as_of)

    @writes("snapshot.create", TakeSnapshot)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Take a snapshot of one or several datasets, at one moment in each pool."""
        return {}


class OneSnapshot(View):
    """One snapshot, `dataset@tag`."""

    area = "pools"

    @describe("get_snapshot", {200: SnapshotAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The snapshot."""
        inventory = inventory_now()
        return Response(_snapshot(_found(name), inventory.as_of))

    @writes("snapshot.destroy", DestroySnapshots, by_path=("dataset", "names"), recursive=True)
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Destroy the snapshot."""
        snapshot = _found(name)
        return {"dataset": snapshot.dataset, "names": [snapshot.tag]}


def _found(name: str) -> Snapshot:
    dataset, _, tag = name.partition("@")
    place = CachedSnapshot.objects.filter(dataset=dataset, tag=tag).values_list("pk", flat=True).first()
    if place is None:
        raise NotFound("There is no such snapshot.")
    ((_, snapshot),) = cache.snapshots(dataset, after=place - 1, limit=1)
    return snapshot


def _snapshot(snapshot: Snapshot, as_of: str) -> SnapshotAnswer:
    return SnapshotAnswer(
        name=snapshot.name,
        dataset=snapshot.dataset,
        tag=snapshot.tag,
        guid=snapshot.guid,
        created_at=datetime.fromtimestamp(snapshot.created, UTC).isoformat(),
        used_bytes=snapshot.used_bytes,
        referenced_bytes=snapshot.referenced_bytes,
        holds=snapshot.holds,
        clones=snapshot.clones,
        as_of=as_of,
    )

"""`snapshots/`, always of one dataset and never all at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Snapshot
from jobs.api import paging, query
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from jobs.index import reading
from pools.snapshots.destroy_snapshots import DestroySnapshots
from pools.snapshots.take_snapshot import TakeSnapshot

_DATASET = OpenApiParameter("dataset", str, OpenApiParameter.QUERY, required=True)
_ORDERS = ("oldest", "newest")
_KINDS = ("policy", "manual")
_CHOICE = [
    OpenApiParameter(
        "order", str, OpenApiParameter.QUERY, enum=_ORDERS, description="Which come first; the oldest."
    ),
    OpenApiParameter("search", str, OpenApiParameter.QUERY, description="Part of the name behind the @."),
    OpenApiParameter(
        "kind", str, OpenApiParameter.QUERY, enum=_KINDS, description="Taken by a policy, or not."
    ),
    OpenApiParameter("since", datetime, OpenApiParameter.QUERY, description="Taken then or later; ISO 8601."),
    OpenApiParameter("until", datetime, OpenApiParameter.QUERY, description="Taken before; ISO 8601."),
    OpenApiParameter("held", bool, OpenApiParameter.QUERY, description="Only those with holds."),
]


class SnapshotAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot. `name` is `dataset@tag`. What it alone holds is costly to know: `details/` asks for it.

    `holds` is as it was last seen; `policy` the mark of the policy that took it; `leaving` is true where it
    was destroyed and goes with its last hold or clone.
    """

    name: str
    dataset: str
    tag: str
    guid: str
    createtxg: int
    created_at: Moment
    referenced_bytes: int
    used_bytes: int | None
    holds: int
    clones: tuple[str, ...]
    policy: str | None
    leaving: bool
    as_of: Moment


class SnapshotPage(msgspec.Struct, frozen=True, kw_only=True):
    """Snapshots of one dataset."""

    results: tuple[SnapshotAnswer, ...]
    next: str | None
    as_of: Moment


class Snapshots(View):
    """The snapshots of a dataset."""

    area = "pools"

    @describe("list_snapshots", {200: SnapshotPage}, parameters=[_DATASET, *_CHOICE, *PAGING])
    def get(self, request: Request) -> Response:
        """A page of snapshots."""
        inventory = inventory_now()
        name = request.query_params.get("dataset")
        if not name:
            raise query.required("dataset", "Name the dataset: ?dataset=pool/name.")
        dataset = found(inventory.dataset(name), "dataset")
        cursor = query.cursor(request)
        if cursor is not None and not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 18):
            raise query.bad_cursor()
        page, following = reading.page(
            inventory,
            dataset.name,
            after=None if cursor is None else int(cursor),
            limit=query.limit(request),
            newest_first=query.choice(request, "order", _ORDERS) == "newest",
            chosen=_filter(request),
        )
        results = [shown(snapshot, inventory.as_of) for snapshot in page]
        after = None if following is None else str(following)
        return paging.answer(request, results, after, as_of=inventory.as_of)

    @writes("snapshot.create", TakeSnapshot)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Take a snapshot of one or several datasets, at one moment in each pool."""
        return {}

    @writes("snapshot.destroy", DestroySnapshots, recursive=True, described_as="destroy_many_snapshots")
    def delete(self, request: Request) -> Mapping[str, Any]:
        """Destroy many, by name or by range."""
        return {}


class OneSnapshot(View):
    """One snapshot, `dataset@tag`."""

    area = "pools"

    @describe("get_snapshot", {200: SnapshotAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The snapshot."""
        return Response(shown(known(name), inventory_now().as_of))

    @writes("snapshot.destroy", DestroySnapshots, by_path=("snapshots",), recursive=True)
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Destroy the snapshot."""
        return {"snapshots": [known(name).name]}


def known(name: str) -> Snapshot:
    """The snapshot of that whole name, or 404."""
    snapshot = reading.find(inventory_now(), name)
    if snapshot is None:
        raise NotFound("There is no such snapshot.")
    return snapshot


def shown(snapshot: Snapshot, as_of: str) -> SnapshotAnswer:
    """A snapshot as the API shows it."""
    return SnapshotAnswer(
        name=snapshot.name,
        dataset=snapshot.dataset,
        tag=snapshot.tag,
        guid=snapshot.guid,
        createtxg=snapshot.createtxg,
        created_at=datetime.fromtimestamp(snapshot.created, UTC).isoformat(),
        referenced_bytes=snapshot.referenced_bytes,
        used_bytes=snapshot.used_bytes,
        holds=snapshot.holds,
        clones=snapshot.clones,
        policy=snapshot.mark or None,
        leaving=snapshot.leaving,
        as_of=as_of,
    )


def _filter(request: Request) -> reading.SnapshotFilter:
    since, until = query.moment(request, "since"), query.moment(request, "until")
    return reading.SnapshotFilter(
        text=request.query_params.get("search", "")[:255],
        kind=cast("reading.Kind | None", query.choice(request, "kind", _KINDS)),
        since=None if since is None else int(since.timestamp()),
        until=None if until is None else int(until.timestamp()),
        held=query.flag(request, "held"),
    )

"""`space/`: what takes the space of a pool."""

from __future__ import annotations

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import paging, query
from jobs.api.document import PAGING, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from pools.space.use import DatasetSpace, space_of

_POOL = OpenApiParameter("pool", str, OpenApiParameter.QUERY, required=True, description="A pool's name.")


class SpacePage(msgspec.Struct, frozen=True, kw_only=True):
    """Datasets, those that take most by themselves first."""

    results: tuple[DatasetSpace, ...]
    next: str | None
    as_of: Moment


class Space(View):
    """What takes the space."""

    area = "pools"

    @describe("list_space", {200: SpacePage}, parameters=[_POOL, *PAGING])
    def get(self, request: Request) -> Response:
        """A page of the pool's datasets, with what each takes: files, snapshots, reservations, ZFS itself."""
        if not (pool := request.query_params.get("pool")):
            raise query.required("pool", "Name the pool: ?pool=tank.")
        inventory = inventory_now()
        found(inventory.pool(pool), "pool")
        return paging.of_values(
            request, space_of(inventory, pool), key=lambda one: one.dataset, show=lambda one: one,
            as_of=inventory.as_of,
        )  # fmt: skip

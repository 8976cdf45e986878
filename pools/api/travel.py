"""`pools/importable/`, `pools/import/`, and a pool's `export/` and `relink/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from host.commands.base import Guid
from host.inventory import ImportableVdev, ImportLoss, LastUse
from host.inventory.pools import Role
from jobs import broker, waiting
from jobs.api import preference
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.refresh import QueueDown
from jobs.api.shapes import Moment, RefreshAnswer
from jobs.api.views import View, inventory_now
from jobs.planning import labels
from jobs.planning.shape import decode
from pools.api.care import named
from pools.travel.export_pool import ExportPool
from pools.travel.import_pool import ImportPool
from pools.travel.known import UnimportedPool, unimported_pools
from pools.travel.relink_pool import RelinkPool


class ImportableVdevAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the tree of a pool that is not imported; `disk` and `bay` are those of leaves."""

    name: str
    role: Role
    state: str | None
    note: str | None
    disk: str | None
    bay: str | None
    children: tuple[ImportableVdevAnswer, ...]


class ImportableAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A pool that is not imported. `looked` is false where only its name is known, from a disk's label; the
    rest is then null or empty until somebody asks for a look."""

    name: str
    guid: str | None
    looked: bool
    state: str | None
    destroyed: bool
    status: str | None
    action: str | None
    comment: str | None
    last_used_elsewhere: bool
    last_use: LastUse | None
    read_only_here: bool
    loss: ImportLoss | None
    disks: tuple[str, ...]
    vdevs: tuple[ImportableVdevAnswer, ...]


class ImportableList(msgspec.Struct, frozen=True, kw_only=True):
    """Pools that are not imported. `as_of` is when the labels were read, null before the first look."""

    results: tuple[ImportableAnswer, ...]
    as_of: Moment | None
    problem: str | None


class SearchForPools(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to look for beside the list: what a rewind of the pool `guid` would give up (takes minutes)."""

    guid: Guid | None = None


class Importables(View):
    """Pools that could be imported."""

    area = "pools"
    write_scope = "pools:read"  # it reads and changes nothing

    @describe("list_importable_pools", {200: ImportableList})
    def get(self, request: Request) -> Response:
        """What the last search found. Wakes no disk."""
        inventory = labels.with_known(inventory_now())
        bays = {link: disk.bay for disk in inventory.disks for link in disk.links}
        return Response(
            ImportableList(
                results=tuple(_answer(unimported, bays) for unimported in unimported_pools(inventory)),
                as_of=inventory.importable.as_of if inventory.importable else None,
                problem=labels.problem() or None,
            )
        )

    @describe(
        "scan_for_pools",
        {200: RefreshAnswer, 202: RefreshAnswer},
        request=SearchForPools,
        parameters=[PREFER],
    )
    def post(self, request: Request) -> Response:
        """Read the labels of all disks, which wakes them. 200 when that was done within the wait."""
        wanted = decode(SearchForPools, request.data)
        if wanted.guid is not None:
            labels.want_loss_of(wanted.guid)
        now = timezone.now()
        requested = now.replace(microsecond=now.microsecond // 1000 * 1000)
        if not broker.send("jobs.tasks.scan_for_pools"):
            raise QueueDown
        seconds = preference.asked_s(request)
        done = bool(seconds) and waiting.newer_search(requested, timeout_s=seconds)
        known = labels.known()
        answer = RefreshAnswer(
            as_of=known.as_of if known else None, requested_at=requested.isoformat(timespec="milliseconds")
        )
        return Response(answer, status=200 if done else 202)


class Import(View):
    """Taking a pool in."""

    area = "pools"

    @writes("pool.import", ImportPool)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Import a pool that is on disks of this machine."""
        return {}


class Export(View):
    """Letting a pool go."""

    area = "pools"

    @writes("pool.export", ExportPool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Unmount everything in it and let its disks go."""
        return named(name)


class Relink(View):
    """Mending links."""

    area = "pools"

    @writes("pool.relink", RelinkPool, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Export and import it, so that it knows its disks by names that last."""
        return named(name)


def _answer(unimported: UnimportedPool, bays: Mapping[str, str | None]) -> ImportableAnswer:
    pool = unimported.probed
    return ImportableAnswer(
        name=unimported.name,
        guid=unimported.guid,
        looked=pool is not None,
        state=pool.state if pool else None,
        destroyed=bool(pool and pool.destroyed),
        status=pool.status if pool else None,
        action=pool.action if pool else None,
        comment=pool.comment if pool else None,
        last_used_elsewhere=bool(pool and pool.last_used_elsewhere),
        last_use=pool.last_use if pool else None,
        read_only_here=bool(pool and pool.read_only_here),
        loss=unimported.loss,
        disks=unimported.disks,
        vdevs=tuple(_vdev(vdev, bays) for vdev in pool.vdevs) if pool else (),
    )


def _vdev(vdev: ImportableVdev, bays: Mapping[str, str | None]) -> ImportableVdevAnswer:
    return ImportableVdevAnswer(
        name=vdev.name,
        role=vdev.role,
        state=vdev.state,
        note=vdev.note,
        disk=vdev.disk,
        bay=bays.get(vdev.disk or ""),
        children=tuple(_vdev(child, bays) for child in vdev.children),
    )

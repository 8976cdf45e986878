"""`pools/` and `capacity/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Inventory, Pool, Scan, Vdev
from host.inventory.pools import Health, Role
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from jobs.planning.shape import decode
from pools.advice.ask import AdviceAnswer, AskAdvice, advise
from pools.advice.capacity import AskCapacity, CapacityAnswer, ask
from pools.create_pool import CreatePool
from pools.destroy_pool import DestroyPool


class VdevAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the vdev tree. `disk`, `bay` and `path` are those of leaves; a missing disk has no bay."""

    guid: str
    name: str
    kind: str
    role: Role
    state: str
    read_errors: int
    write_errors: int
    checksum_errors: int
    path: str | None
    disk: str | None
    bay: str | None
    note: str | None
    children: tuple[VdevAnswer, ...]


class CapacityOfPool(msgspec.Struct, frozen=True, kw_only=True):
    """What can be stored in a pool, parity and reserves already subtracted."""

    usable_bytes: int
    used_bytes: int
    available_bytes: int
    used_percent: float


class PoolAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A pool. `size_bytes`, `allocated_bytes` and `free_bytes` are raw: parity is part of them."""

    name: str
    guid: str
    state: str
    health: Health
    status: str | None
    action: str | None
    data_errors: int
    size_bytes: int
    allocated_bytes: int
    free_bytes: int
    capacity: CapacityOfPool | None  # null where the pool does not answer, as while it is suspended
    ashift: int
    scan: Scan | None
    vdevs: tuple[VdevAnswer, ...]
    properties: dict[str, str]
    as_of: Moment


class PoolPage(msgspec.Struct, frozen=True, kw_only=True):
    """Pools by name."""

    results: tuple[PoolAnswer, ...]
    next: str | None
    as_of: Moment


class Pools(View):
    """All imported pools."""

    area = "pools"

    @describe("list_pools", {200: PoolPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of pools."""
        inventory = inventory_now()
        return paging.of_values(
            request,
            sorted(inventory.pools, key=lambda pool: pool.name),
            key=lambda pool: pool.name,
            show=lambda pool: _pool(pool, inventory),
            as_of=inventory.as_of,
        )

    @writes("pool.create", CreatePool)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Create a pool."""
        return {}


class OnePool(View):
    """One pool."""

    area = "pools"

    @describe("get_pool", {200: PoolAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The pool with its vdevs, disks and bays."""
        inventory = inventory_now()
        return Response(_pool(found(inventory.pool(name), "pool"), inventory))

    @writes("pool.destroy", DestroyPool, by_path=("name",))
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Destroy the pool and all that is in it."""
        return {"name": found(inventory_now().pool(name), "pool").name}


class Capacity(View):
    """What a pool would hold."""

    area = "pools"
    write_scope = "pools:read"  # it computes and changes nothing

    @describe("ask_capacity", {200: CapacityAnswer}, request=AskCapacity)
    def post(self, request: Request) -> Response:
        """Space, failures survived and time to rebuild, for vdevs that are only thought of."""
        return Response(ask(decode(AskCapacity, request.data), inventory_now()))


class Advice(View):
    """Which layouts some disks can have."""

    area = "pools"
    write_scope = "pools:read"  # it computes and changes nothing

    @describe("ask_advice", {200: AdviceAnswer}, request=AskAdvice)
    def post(self, request: Request) -> Response:
        """All sensible layouts of these disks side by side; one is recommended for the use, with reasons."""
        return Response(advise(decode(AskAdvice, request.data), inventory_now()))


def _pool(pool: Pool, inventory: Inventory) -> PoolAnswer:
    bays = {disk.id: disk.bay for disk in inventory.disks}
    return PoolAnswer(
        name=pool.name,
        guid=pool.guid,
        state=pool.state,
        health=pool.health,
        status=pool.status,
        action=pool.action,
        data_errors=pool.data_errors,
        size_bytes=pool.size_bytes,
        allocated_bytes=pool.allocated_bytes,
        free_bytes=pool.free_bytes,
        capacity=_capacity(pool, inventory),
        ashift=pool.ashift,
        scan=pool.scan,
        vdevs=tuple(_vdev(vdev, bays) for vdev in pool.vdevs),
        properties=pool.properties,
        as_of=inventory.as_of,
    )


def _capacity(pool: Pool, inventory: Inventory) -> CapacityOfPool | None:
    root = inventory.dataset(pool.name)
    if root is None or pool.suspended or root.value("used") is None:
        return None
    used, available = root.number("used"), root.number("available")
    usable = used + available
    return CapacityOfPool(
        usable_bytes=usable,
        used_bytes=used,
        available_bytes=available,
        used_percent=round(100 * used / usable, 2) if usable else 0.0,
    )


def _vdev(vdev: Vdev, bays: Mapping[str, str | None]) -> VdevAnswer:
    return VdevAnswer(
        guid=vdev.guid,
        name=vdev.name,
        kind=vdev.kind,
        role=vdev.role,
        state=vdev.state,
        read_errors=vdev.read_errors,
        write_errors=vdev.write_errors,
        checksum_errors=vdev.checksum_errors,
        path=vdev.path,
        disk=vdev.disk,
        bay=bays.get(vdev.disk) if vdev.disk else None,
        note=vdev.note,
        children=tuple(_vdev(child, bays) for child in vdev.children),
    )

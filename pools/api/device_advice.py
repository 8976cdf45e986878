"""`pools/{name}/device-advice/`: whether a log, cache or special device would help."""

from __future__ import annotations

from django.utils import timezone
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.document import describe
from jobs.api.views import View, found, inventory_now
from pools.advice.device_figures import gather
from pools.advice.devices import DeviceAdvice, DeviceFigures, device_advice


class DeviceAdviceAnswer(Struct, frozen=True, kw_only=True):
    """What was measured over the last day, and what follows for each role."""

    pool: str
    measured: DeviceFigures
    results: tuple[DeviceAdvice, ...]
    as_of: str


class Devices(View):
    """Devices that serve a pool beside its data."""

    area = "pools"

    @describe("get_pool_device_advice", {200: DeviceAdviceAnswer})
    def get(self, request: Request, name: str) -> Response:
        """Whether a log, cache or special device would help, from what was measured of the pool."""
        inventory = inventory_now()
        pool = found(inventory.pool(name), "pool")
        measured = gather(pool, timezone.now())
        results = device_advice(pool, inventory, measured)
        answer = DeviceAdviceAnswer(pool=pool.name, measured=measured, results=results, as_of=inventory.as_of)
        return Response(answer)

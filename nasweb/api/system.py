"""`system/`."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

import nasweb
from host.inventory import Ecc
from jobs import broker
from jobs.api.document import describe
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now


class SystemAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The machine and this software. ECC is `unknown` unless a driver or the firmware reports it."""

    name: str
    version: str
    kernel: str
    zfs_userland_version: str | None
    zfs_module_version: str | None
    memory_bytes: int
    ecc: Ecc
    host_kind: str
    booted_at: Moment
    uptime_seconds: int
    queue_answers: bool
    as_of: Moment


class System(View):
    """The machine and this software."""

    area = "system"

    @describe("get_system", {200: SystemAnswer})
    def get(self, request: Request) -> Response:
        """What this machine is."""
        inventory = inventory_now()
        facts = inventory.facts
        booted = datetime.fromtimestamp(facts.booted, UTC)
        return Response(
            SystemAnswer(
                name=facts.name,
                version=nasweb.__version__,
                kernel=facts.kernel,
                zfs_userland_version=facts.zfs_userland,
                zfs_module_version=facts.zfs_module,
                memory_bytes=facts.memory_bytes,
                ecc=facts.ecc,
                host_kind=facts.kind,
                booted_at=booted.isoformat(),
                uptime_seconds=max(0, int((timezone.now() - booted).total_seconds())),
                queue_answers=broker.alive(),
                as_of=inventory.as_of,
            )
        )

"""`self-tests/`: when disks test themselves, and how each stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from disks.self_tests import stored
from disks.self_tests.overview import DiskTests, of_disk, overview
from disks.self_tests.schedule_disk import ScheduleSelfTests
from disks.self_tests.set_schedule import SetSelfTests
from disks.self_tests.settings import SelfTestSettings
from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now


class SelfTestsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the machine, and every disk."""

    settings: SelfTestSettings
    disks: tuple[DiskTests, ...]
    as_of: Moment


class SelfTests(View):
    """All disks."""

    area = "disks"

    @describe("get_self_tests", {200: SelfTestsAnswer})
    def get(self, request: Request) -> Response:
        """The settings, and of each disk the last tests, the next, and what they wait for."""
        inventory = inventory_now()
        seen = overview(inventory, timezone.now())
        return Response(SelfTestsAnswer(settings=stored.settings(), disks=seen, as_of=inventory.as_of))

    @writes("self-tests.set", SetSelfTests)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Change the settings as a whole; what is left out is as it is usual."""
        return {}


class SelfTestsOfDisk(View):
    """One disk."""

    area = "disks"

    @describe("get_self_tests_of_disk", {200: DiskTests})
    def get(self, request: Request, disk_id: str) -> Response:
        """Its last self-tests, the next, and what they wait for."""
        inventory = inventory_now()
        disk = found(inventory.disk(disk_id), "disk")
        return Response(found(of_disk(disk, inventory, timezone.now()), "disk"))

    @writes("disk.schedule-self-tests", ScheduleSelfTests, by_path=("disk",))
    def put(self, request: Request, disk_id: str) -> Mapping[str, Any]:
        """Test it as all disks, at intervals of its own, or not on schedule."""
        return {"disk": found(inventory_now().disk(disk_id), "disk").id}

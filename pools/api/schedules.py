"""`scrub-schedules/` and a pool's `scrubs/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.schedules import ScheduleAnswer, SchedulePage, answer, known, page
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now, user_of
from jobs.schedules.change import ChangeSchedule
from jobs.schedules.delete import DeleteSchedule
from pools.care.schedule import ScheduleCare
from pools.models import ScanRecord

_CARE = {"pool.scrub", "pool.trim"}


class ScrubAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A scrub or resilver that has ended. `errors` could not be repaired; `damaged_files` were known then."""

    pool: str
    function: Literal["scrub", "resilver"]
    complete: bool
    started: Moment
    finished: Moment
    duration_seconds: int
    total_bytes: int
    repaired_bytes: int
    errors: int
    damaged_files: tuple[str, ...]


class ScrubPage(msgspec.Struct, frozen=True, kw_only=True):
    """Scrubs and resilvers, newest first."""

    results: tuple[ScrubAnswer, ...]
    next: str | None


class ScrubSchedules(View):
    """When pools are scrubbed and trimmed."""

    area = "pools"

    @describe("list_scrub_schedules", {200: SchedulePage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of schedules of scrubs and trims."""
        inventory = inventory_now()
        return page(request, tuple(s for s in inventory.schedules if s.operation in _CARE), inventory)

    @writes("pool.schedule", ScheduleCare)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Scrub or trim a pool on schedule."""
        return {}


class OneScrubSchedule(View):
    """One of them; the same as under `schedules/`."""

    area = "pools"

    @describe("get_scrub_schedule", {200: ScheduleAnswer})
    def get(self, request: Request, schedule_id: int) -> Response:
        """The schedule, and when it runs next."""
        inventory = inventory_now()
        return Response(answer(known(schedule_id, inventory), inventory))

    @writes("schedule.change", ChangeSchedule, by_path=("id",), described_as="scrub_schedule_change")
    def patch(self, request: Request, schedule_id: int) -> Mapping[str, Any]:
        """Other times, another rule; `enabled` pauses it and lets it go on."""
        return {"id": known(schedule_id, inventory_now()).id}

    @writes("schedule.delete", DeleteSchedule, by_path=("id",), described_as="scrub_schedule_delete")
    def delete(self, request: Request, schedule_id: int) -> Mapping[str, Any]:
        """Delete it; a default does not come again."""
        return {"id": known(schedule_id, inventory_now()).id}


class Scrubs(View):
    """What scrubs of a pool found."""

    area = "pools"

    @describe("list_scrubs", {200: ScrubPage}, parameters=PAGING)
    def get(self, request: Request, name: str) -> Response:
        """A page of its scrubs and resilvers. Without `files:read` damaged files are counted, not named."""
        pool = found(inventory_now().pool(name), "pool")
        names = user_of(request).has_perm("files:read")
        rows = ScanRecord.objects.filter(pool_guid=pool.guid)
        return paging.of_rows(request, rows, show=lambda record: _scrub(record, names=names))


def _scrub(record: ScanRecord, *, names: bool) -> ScrubAnswer:
    return ScrubAnswer(
        pool=record.pool_name,
        function="scrub" if record.function == "SCRUB" else "resilver",
        complete=record.state == "FINISHED",
        started=record.started.isoformat(),
        finished=record.finished.isoformat(),
        duration_seconds=record.duration_s,
        total_bytes=record.total_bytes,
        repaired_bytes=record.repaired_bytes,
        errors=record.errors,
        damaged_files=tuple(record.damaged_files) if names else (),
    )

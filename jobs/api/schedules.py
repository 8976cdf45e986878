"""`schedules/`: all that runs on schedule."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Inventory, Schedule
from host.inventory.schedules import MissedRule
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from jobs.planning.findings import Findings
from jobs.planning.shape import decode
from jobs.schedules import cron
from jobs.schedules.change import ChangeSchedule, CronText, ZoneText
from jobs.schedules.delete import DeleteSchedule

_PREVIEWED = 5


class ScheduleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A scheduled operation. `said` is the result of the last run; `waiting_since` is a time that
    has come and that something keeps from running."""

    id: int
    operation: str
    request: dict[str, Any]
    pool: str | None
    cron: str
    time_zone: str
    missed: MissedRule
    enabled: bool
    longest_age_days: int | None
    owner: str | None
    next_run: Moment | None
    waiting_since: Moment | None
    said: str
    last_run: Moment | None
    last_job: int | None
    as_of: Moment


class SchedulePage(msgspec.Struct, frozen=True, kw_only=True):
    """Schedules in the order in which they were made."""

    results: tuple[ScheduleAnswer, ...]
    next: str | None
    as_of: Moment


class PreviewSchedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Times to be tried out."""

    cron: CronText
    time_zone: ZoneText = "UTC"


class PreviewAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """When it would run next."""

    next_runs: tuple[Moment, ...]


class Schedules(View):
    """All schedules."""

    area = "pools"

    @describe("list_schedules", {200: SchedulePage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of schedules."""
        inventory = inventory_now()
        return page(request, inventory.schedules, inventory)


class OneSchedule(View):
    """One schedule."""

    area = "pools"

    @describe("get_schedule", {200: ScheduleAnswer})
    def get(self, request: Request, schedule_id: int) -> Response:
        """The schedule, and when it runs next."""
        inventory = inventory_now()
        return Response(answer(known(schedule_id, inventory), inventory))

    @writes("schedule.change", ChangeSchedule, by_path=("id",))
    def patch(self, request: Request, schedule_id: int) -> Mapping[str, Any]:
        """Other times, another rule; `enabled` pauses it and lets it go on."""
        return {"id": known(schedule_id, inventory_now()).id}

    @writes("schedule.delete", DeleteSchedule, by_path=("id",))
    def delete(self, request: Request, schedule_id: int) -> Mapping[str, Any]:
        """Delete it; a default does not come again."""
        return {"id": known(schedule_id, inventory_now()).id}


class SchedulePreview(View):
    """When something would run."""

    area = "pools"
    write_scope = "pools:read"  # it computes and changes nothing

    @describe("preview_schedule", {200: PreviewAnswer}, request=PreviewSchedule)
    def post(self, request: Request) -> Response:
        """The next five times."""
        wanted = decode(PreviewSchedule, request.data)
        findings = Findings()
        cron.check(wanted.cron, wanted.time_zone, findings)
        findings.refuse_on_error()
        times = cron.first(_PREVIEWED, wanted.cron, wanted.time_zone, datetime.now(UTC))
        return Response(PreviewAnswer(next_runs=tuple(moment.isoformat() for moment in times)))


def page(request: Request, schedules: tuple[Schedule, ...], inventory: Inventory) -> Response:
    """A page of `schedules`."""
    return paging.of_values(
        request, schedules, key=lambda one: str(one.id), show=lambda one: answer(one, inventory),
        as_of=inventory.as_of,
    )  # fmt: skip


def known(schedule_id: int, inventory: Inventory) -> Schedule:
    """The schedule with that id. Raises `NotFound`."""
    return found(next((one for one in inventory.schedules if one.id == schedule_id), None), "schedule")


def answer(schedule: Schedule, inventory: Inventory) -> ScheduleAnswer:
    """The schedule as the API shows it."""
    guid = schedule.subject.partition(":")[2]
    pool = next((pool.name for pool in inventory.pools if pool.guid == guid), None)
    runs = schedule.enabled and (pool is not None or not schedule.subject.startswith("pool:"))
    coming = cron.first(1, schedule.cron, schedule.time_zone, datetime.now(UTC)) if runs else ()
    return ScheduleAnswer(
        id=schedule.id,
        operation=schedule.operation,
        request=schedule.request,
        pool=pool,
        cron=schedule.cron,
        time_zone=schedule.time_zone,
        missed=schedule.missed,
        enabled=schedule.enabled,
        longest_age_days=schedule.longest_age_days,
        owner=schedule.owner or None,
        next_run=coming[0].isoformat() if coming else None,
        waiting_since=schedule.waiting_since,
        said=schedule.said,
        last_run=schedule.last_run,
        last_job=schedule.last_job,
        as_of=inventory.as_of,
    )

"""`system/first-boot/` and `system/first-start/`: setting the machine up, how far it is, what was put off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.models import Channel
from jobs.api import query
from jobs.api.document import DRY_RUN, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode
from machine.first_boot import state
from machine.first_boot.state import Decision, FirstBootState, Step
from machine.first_boot.steps import SETTLES, State, left, next_open, standings
from machine.first_boot.words import title_of, why
from nasweb import first_start


class ChangeFirstBoot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Decisions on steps: `later`, `settled` (right as it is), or null, which takes either back."""

    steps: dict[Step, Decision | None] = {}
    finished: bool | UnsetType = UNSET
    dismissed: bool | UnsetType = UNSET


class FirstBootStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step. What the machine shows takes precedence over the decision."""

    step: Step
    title: str
    why: str
    state: State
    said: Decision | None
    may_settle: bool


class FirstBootAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All steps in their order; `left` counts those that somebody has still to decide on."""

    steps: tuple[FirstBootStep, ...]
    left: int
    next: Step | None
    finished: bool
    dismissed: bool
    as_of: Moment


class FirstBoot(View):
    """The first-boot wizard."""

    area = "system"

    @describe("get_first_boot", {200: FirstBootAnswer})
    def get(self, request: Request) -> Response:
        """The state of each step."""
        return Response(_answer(state.load()))

    @describe("change_first_boot", {200: FirstBootAnswer}, request=ChangeFirstBoot, parameters=[DRY_RUN])
    def patch(self, request: Request) -> Response:
        """Put steps off or take them up again, or end the wizard. A dry run answers how it would be."""
        asked = decode(ChangeFirstBoot, request.data)
        if wrong := [step for step, said in asked.steps.items() if said == "settled" and step not in SETTLES]:
            message = "The machine shows whether this is done; it can only be put off."
            raise Refused(tuple(fault("cannot-settle", f"steps.{step}", message) for step in wrong))
        if query.flag(request, "dry_run"):
            return Response(_answer(_after(asked)))
        state.change(asked.steps, finished=_said(asked.finished), dismissed=_said(asked.dismissed))
        return Response(_answer(state.load()))


class FirstStart(View):
    """All of it at once."""

    area = "system"

    @writes(first_start.NAME, first_start.FirstStart)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Name the machine, set its time zone, create a pool and a person, and share a folder, in one job.

        Fields of findings are paths, such as `pool.vdevs[0].disks[1]`.
        """
        return {}


def _said(value: bool | UnsetType) -> bool | None:
    return None if isinstance(value, UnsetType) else value


def _after(asked: ChangeFirstBoot) -> FirstBootState:
    now = state.load()
    decisions = {step: said for step, said in (now.decisions | asked.steps).items() if said is not None}
    finished, dismissed = _said(asked.finished), _said(asked.dismissed)
    return msgspec.structs.replace(
        now,
        decisions=decisions,
        finished=now.finished if finished is None else finished,
        dismissed=now.dismissed if dismissed is None else dismissed,
    )


def _answer(known: FirstBootState) -> FirstBootAnswer:
    inventory = inventory_now()
    found = standings(inventory, known, notified=Channel.objects.filter(enabled=True).exists())
    return FirstBootAnswer(
        steps=tuple(
            FirstBootStep(
                step=one.step,
                title=title_of(one.step),
                why=why(one.step),
                state=one.state,
                said=known.decisions.get(one.step),
                may_settle=one.step in SETTLES,
            )
            for one in found
        ),
        left=left(found),
        next=next_open(found),
        finished=known.finished,
        dismissed=known.dismissed,
        as_of=inventory.as_of,
    )

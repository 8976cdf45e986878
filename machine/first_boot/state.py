"""The wizard's memory: written in one statement each, so that a power cut leaves it as before or after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec
from django.db import transaction
from django.utils import timezone

from machine.first_boot.models import FirstBootRow, StepDecision

Step = Literal["name", "account", "boot", "network", "bays", "pool", "share", "notifications"]
Decision = Literal["later", "settled"]  # settled: it stays as it is, and that is right
STEPS: tuple[Step, ...] = get_args(Step)
DECISIONS: tuple[Decision, ...] = get_args(Decision)


class FirstBootState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the wizard was begun and is over, and the decisions on its steps."""

    decisions: dict[Step, Decision] = {}
    begun: bool = False
    finished: bool = False
    dismissed: bool = False


def load() -> FirstBootState:
    """The stored state."""
    row = FirstBootRow.objects.filter(pk=1).first()
    said = dict(StepDecision.objects.values_list("step", "decision"))
    return FirstBootState(
        decisions={step: one for step in STEPS for one in DECISIONS if said.get(step) == one},
        begun=row is not None,
        finished=bool(row and row.finished_at),
        dismissed=bool(row and row.dismissed_at),
    )


def begin() -> None:
    """Somebody opened the wizard. It is open again if it was dismissed."""
    row, new = FirstBootRow.objects.get_or_create(pk=1, defaults={"begun_at": timezone.now()})
    if not new and row.dismissed_at is not None:
        FirstBootRow.objects.filter(pk=1).update(dismissed_at=None)


def decide(step: Step, decision: Decision | None) -> None:
    """Store the decision on a step; None deletes it."""
    if decision is None:
        StepDecision.objects.filter(step=step).delete()
        return
    StepDecision.objects.update_or_create(step=step, defaults={"decision": decision, "at": timezone.now()})


def finish() -> None:
    """The wizard is over; the console does not mention it any more."""
    _set(finished_at=timezone.now())


def dismiss() -> None:
    """Hide the wizard, though it is not finished."""
    _set(dismissed_at=timezone.now())


def change(
    said: Mapping[Step, Decision | None], *, finished: bool | None = None, dismissed: bool | None = None
) -> None:
    """Store all of it in one transaction; None leaves what is stored."""
    now = timezone.now()
    wanted = {"finished_at": finished, "dismissed_at": dismissed}
    with transaction.atomic():
        for step, decision in said.items():
            decide(step, decision)
        when = {name: now if over else None for name, over in wanted.items() if over is not None}
        if when:
            _set(**when)


def _set(**when: object) -> None:
    FirstBootRow.objects.get_or_create(pk=1, defaults={"begun_at": timezone.now()})
    FirstBootRow.objects.filter(pk=1).update(**when)

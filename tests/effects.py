"""What rows declare, held against every plan that any test makes (`Operation.effect`)."""

from __future__ import annotations

from typing import Any

from jobs import submission
from jobs.operation import operation
from jobs.plan import Plan
from jobs.planning.effects import HARMLESS

_prepare = submission.prepare


class Undeclared(BaseException):
    """A plan does worse than its row says; ends the test, whatever catches errors on the way."""


def prepare(name: str, data: Any, user: submission.User, **more: Any) -> Plan:
    """As `jobs.submission.prepare`."""
    plan = _prepare(name, data, user, **more)
    effect = operation(name).effect_of(data if isinstance(data, dict) else {})
    if plan.destroys and effect != "destroys":
        raise Undeclared(f"{name} has losses, and its row says that it is {effect}.")
    if effect == "harmless":
        loud = sorted(
            {type(command).__name__ for step in plan.steps for command in step.commands}
            - {kind.__name__ for kind in HARMLESS}
        )
        if loud:
            raise Undeclared(f"{name} is declared harmless, and runs {', '.join(loud)}.")
    return plan

"""The operations on schedules of every kind."""

from __future__ import annotations

from typing import Any

from jobs.operation import Operation
from jobs.schedules import change, delete
from jobs.wording import Wording, at

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="schedule.change",
        request=change.ChangeSchedule,
        plan=change.plan,
        scope="pools:write",
        effect="harmless",
        remember=change.remember,
        wording=Wording(title="Change a schedule", page=at("Pools", "/pools/")),
    ),
    Operation(
        name="schedule.delete",
        request=delete.DeleteSchedule,
        plan=delete.plan,
        scope="pools:write",
        effect="changes",
        remember=delete.remember,
        wording=Wording(title="Delete a schedule", page=at("Pools", "/pools/")),
    ),
)

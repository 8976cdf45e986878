"""The operations on schedules of every kind."""

from __future__ import annotations

from typing import Any

from jobs.operation import Asked, Operation
from jobs.schedules import change, delete
from jobs.wording import Data, Wording, at


def _switch_back(data: Data) -> Asked | None:
    """Of a pause or its end; what another time was before, the request does not say."""
    if set(data) != {"id", "enabled"}:
        return None
    return Asked("schedule.change", {"id": data["id"], "enabled": not data["enabled"]})


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="schedule.change",
        request=change.ChangeSchedule,
        plan=change.plan,
        scope="pools:write",
        effect="harmless",
        remember=change.remember,
        undo=_switch_back,
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

"""The operations on alerts and findings."""

from __future__ import annotations

from typing import Any

from alerts.doctor import acknowledge as doctor
from alerts.incidents import acknowledge
from jobs.operation import Asked, Operation
from jobs.wording import Data, Wording, at


def _report_again(data: Data) -> Asked | None:
    return Asked("doctor.recall", {field: data.get(field) for field in ("code", "subject")})


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="alert.acknowledge",
        request=acknowledge.AcknowledgeAlert,
        plan=acknowledge.plan,
        scope="alerts:write",
        effect="harmless",
        remember=acknowledge.remember,
        wording=Wording(title="Acknowledge an alert", page=at("Alerts", "/alerts/")),
    ),
    Operation(
        name="doctor.acknowledge",
        request=doctor.AcknowledgeFinding,
        plan=doctor.plan,
        scope="alerts:write",
        effect="harmless",
        remember=doctor.remember,
        undo=_report_again,
        wording=Wording(title="Acknowledge a finding", page=at("Doctor", "/doctor/")),
    ),
    Operation(
        name="doctor.recall",
        request=doctor.RecallFinding,
        plan=doctor.plan_withdraw,
        scope="alerts:write",
        effect="harmless",
        remember=doctor.forget,
        wording=Wording(title="Report a finding again", page=at("Doctor", "/doctor/")),
    ),
)

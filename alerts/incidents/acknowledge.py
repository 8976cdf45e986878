"""alert.acknowledge: somebody knows of an incident. It stays listed, and no longer above everything."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta

from alerts.incidents.recording import extent_of
from alerts.models import Incident
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings


class AcknowledgeAlert(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of an incident, and a note for whoever reads it later."""

    id: Annotated[int, Meta(ge=1, le=(1 << 63) - 1)]
    note: Annotated[str, Meta(max_length=1000)] = ""


def plan(request: AcknowledgeAlert, _inventory: Inventory) -> Plan:
    """Raises `Refused` for a note that cannot be printed."""
    findings = Findings()
    check_note(request.note, findings)
    findings.refuse_on_error()
    step = Step(title=f"Acknowledge incident {request.id}", commands=())
    summary = (
        f"Incident {request.id} is acknowledged: it stays listed, but no longer above everything else. "
        "Notifications of it are sent only if it gets worse, ends or comes back."
    )
    claims = (f"alert:{request.id}",)
    return Plan(operation="alert.acknowledge", steps=(step,), summary=summary, claims=claims)


def check_note(note: str, findings: Findings) -> None:
    """Refuses control characters."""
    if any(not letter.isprintable() and letter not in "\n\t\r" for letter in note):
        findings.error("bad-characters", "note", "Use printable characters and line breaks only.")


def remember(request: AcknowledgeAlert, _inventory: Inventory, actor: str) -> None:
    """Store who acknowledged it, when, and how much it was about then."""
    for row in Incident.objects.filter(pk=request.id):
        Incident.objects.filter(pk=row.pk).update(
            acknowledged_at=timezone.now(), acknowledged_by=actor, note=request.note,
            acknowledged_extent=extent_of(row),
        )  # fmt: skip

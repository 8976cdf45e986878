"""`alerts/`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.api.shapes import AlertAcknowledged, AlertAnswer, AlertPage
from alerts.incidents.acknowledge import AcknowledgeAlert
from alerts.incidents.recording import cause_of, events_of
from alerts.incidents.withheld import details_for
from alerts.models import Incident
from jobs.api import paging, query
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.views import View, user_of
from jobs.rights import User

_OPEN = OpenApiParameter("open", bool, OpenApiParameter.QUERY, description="Only those that are still open.")


class Alerts(View):
    """What is wrong now, and what was."""

    area = "alerts"

    @describe("list_alerts", {200: AlertPage}, parameters=[_OPEN, *PAGING])
    def get(self, request: Request) -> Response:
        """A page of alerts, one for each cause, newest first."""
        user = user_of(request)
        rows = Incident.objects.all()
        if query.flag(request, "open"):
            rows = rows.filter(closed_at=None)
        return paging.of_rows(request, rows, show=lambda row: alert(row, user))


class OneAlert(View):
    """One incident."""

    area = "alerts"

    @describe("get_alert", {200: AlertAnswer})
    def get(self, request: Request, alert_id: int) -> Response:
        """The alert with all that became of it."""
        return Response(alert(_row(alert_id), user_of(request)))


class AcknowledgeOne(View):
    """Marks an alert as read."""

    area = "alerts"

    @writes("alert.acknowledge", AcknowledgeAlert, by_path=("id",))
    def post(self, request: Request, alert_id: int) -> Mapping[str, Any]:
        """It stays listed until its cause is gone, and is reported again when it becomes worse."""
        return {"id": _row(alert_id).pk}


def alert(row: Incident, user: User) -> AlertAnswer:
    """An incident as the API shows it to `user`."""
    cause = cause_of(row)
    acknowledged = None
    if row.acknowledged_at is not None:
        acknowledged = AlertAcknowledged(at=_iso(row.acknowledged_at), by=row.acknowledged_by, note=row.note)
    return AlertAnswer(
        id=row.pk, kind=cause.kind, severity=cause.severity, pool=row.pool or None, title=row.title,
        details=details_for(cause, user), steps=cause.steps, disks=cause.spots, since=cause.since,
        opened_at=_iso(row.opened_at), updated_at=_iso(row.updated_at), calm_since=_maybe(row.calm_since),
        closed_at=_maybe(row.closed_at), times=row.times, acknowledged=acknowledged, events=events_of(row),
    )  # fmt: skip


def _row(alert_id: int) -> Incident:
    row = Incident.objects.filter(pk=alert_id).first() if alert_id < 1 << 63 else None
    if row is None:
        raise NotFound("There is no such alert.")
    return row


def _maybe(moment: datetime | None) -> str | None:
    return None if moment is None else _iso(moment)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")

"""Alerts: what is wrong now, and what was."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from alerts.models import Incident
from frontend.access import page, part, unchanged, why_shut
from frontend.alerts.view import incident, mark, troubles
from frontend.missing import missing
from frontend.plans.at_once import back_to, carry_out, show_outcome
from jobs import cache

_MOST_PAST = 50


@page("alerts:read")
def alerts(request: HttpRequest) -> HttpResponseBase:
    """Open incidents with their steps, then those that are over."""
    inventory = cache.current()
    now = troubles(request.user, inventory)
    rows = list(Incident.objects.exclude(closed_at=None)[:_MOST_PAST])
    seen = f"{now.mark}:{mark(rows[:1])}:{inventory.as_of if now.mark and inventory else ''}"
    if answer := unchanged(request, seen):
        return answer
    context = {
        "mark": seen,
        "loud": now.loud,
        "quiet": now.quiet,
        "healed": now.healed,
        "past": [incident(row, request.user, inventory) for row in rows],
        "why_shut": why_shut(request.user, "alerts:write"),
    }
    return render(request, part(request, "alerts/alerts.html"), context)


@page("alerts:read")
@require_POST
def acknowledge(request: HttpRequest, alert_id: int) -> HttpResponseBase:
    """Keep that it was read."""
    if why_shut(request.user, "alerts:write"):
        raise PermissionDenied("Your role does not allow alerts:write.")
    if alert_id >= 1 << 63 or not Incident.objects.filter(pk=alert_id).exists():
        return missing(request, "Alert not found")
    asked = {"id": alert_id, "note": request.POST.get("note", "").strip()}
    outcome = carry_out(request, "alert.acknowledge", asked)
    show_outcome(request, outcome, "Acknowledged. It stays listed until the problem is gone.")
    return back_to(request, "/alerts/")

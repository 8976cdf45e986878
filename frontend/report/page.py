"""The health report: a page to read, print and send."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from alerts.channels.models import Channel
from alerts.report import sending
from alerts.report.making import make
from alerts.rights import lacking
from frontend.access import page, why_shut
from frontend.report.view import view
from jobs import cache
from jobs.plan import Refused


@page("alerts:read")
def health(request: HttpRequest) -> HttpResponseBase:
    """The report of now, with the channels that it can be sent to."""
    _allowed(request)
    inventory = cache.current()
    context = {
        "view": view(make(inventory, timezone.now())) if inventory else None,
        "channels": Channel.objects.filter(enabled=True).order_by("name"),
        "why_shut": why_shut(request.user, "alerts:write"),
    }
    return render(request, "report/health.html", context)


@page("alerts:write")
@require_POST
def send(request: HttpRequest) -> HttpResponseBase:
    """Send it to a channel, once."""
    _allowed(request)
    number = request.POST.get("channel", "")
    known = number.isascii() and number.isdecimal() and len(number) < 19
    row = get_object_or_404(Channel, pk=int(number) if known else 0)
    inventory = cache.current()
    if inventory is None:
        messages.error(request, "The machine has not been probed yet. Try again in a moment.")
        return redirect("health")
    now = timezone.now()
    try:
        sent = sending.queue(row, make(inventory, now), request.user.get_username(), now)
    except Refused as refused:
        messages.error(request, refused.findings[0].message)
        return redirect("health")
    if sent is None:
        messages.error(request, "This channel was deleted.")
    else:
        messages.success(request, f"The report is on its way to {row.name}.")
    return redirect("health")


def _allowed(request: HttpRequest) -> None:
    if missing := lacking(request.user):
        raise PermissionDenied(f"Your role does not allow {missing[0]}.")

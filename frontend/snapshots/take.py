"""A snapshot at one click: of one dataset, or of all that are selected in a list."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.plans.at_once import back_to
from frontend.plans.page import propose
from frontend.snapshots.view import name_by_clock


@page("pools:read")
@require_POST
def take(request: HttpRequest) -> HttpResponseBase:
    """Snapshots of the datasets `name`, called by the clock; then the page `back` again."""
    names = request.POST.getlist("name")
    if not names:
        messages.error(request, "Select at least one dataset.")
        return back_to(request, "/datasets/")
    data = {"datasets": names, "name": name_by_clock(datetime.now(UTC))}
    return propose(request, "snapshot.create", data)

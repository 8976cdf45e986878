"""Asks the worker to look at the machine again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.plans.at_once import back_to
from jobs import broker


@page("system:read")
@require_POST
def refresh(request: HttpRequest) -> HttpResponseBase:
    """Puts a refresh on the queue and goes back to where the user was."""
    if not broker.send("jobs.tasks.refresh"):
        messages.warning(request, "The queue does not respond, so the machine cannot be probed now.")
    return back_to(request, "/")

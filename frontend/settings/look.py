"""Settings: theme and density."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.appearance import remember
from frontend.plans.at_once import back_to


@page()
@require_POST
def appearance(request: HttpRequest) -> HttpResponseBase:
    """Keep what was chosen and go back."""
    response = back_to(request, "/settings/")
    remember(request, response)
    return response

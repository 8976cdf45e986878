"""Settings: what can be set, with what is set now."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page
from frontend.settings.sections import sections
from jobs import cache


@page()
def settings(request: HttpRequest) -> HttpResponseBase:
    """The list; each line leads to the page where that is changed."""
    context = {"sections": sections(request.user, cache.current()), "here": request.get_full_path()}
    return render(request, "settings/settings.html", context)

"""The search box: its drop-down, and the same as a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import is_htmx, page
from frontend.search.find import find
from jobs import cache


@page("system:read")
def search(request: HttpRequest) -> HttpResponseBase:
    """What matches `?q=`."""
    text = request.GET.get("q", "")[:200].strip()
    context = {"q": text, "hits": find(text, cache.current(), request.user)}
    return render(request, "search/search.html#hits" if is_htmx(request) else "search/search.html", context)

"""The answer where a thing is not there (any more), within the console."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from frontend.access import is_htmx


def missing(request: HttpRequest, what: str) -> HttpResponse:
    """A page that says what is missing, with the rest of the console around it.

    A poll loads its page again, which says so: it would put this one into a corner of itself.
    """
    if is_htmx(request):
        return HttpResponseClientRefresh()
    return render(request, "missing.html", {"what": what}, status=404)

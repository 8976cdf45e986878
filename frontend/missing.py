"""The answer where a thing is not there (any more), within the console."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def missing(request: HttpRequest, what: str) -> HttpResponse:
    """A page that says what is missing, with the rest of the console around it."""
    return render(request, "missing.html", {"what": what}, status=404)

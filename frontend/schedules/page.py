"""What runs by itself, of every kind."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page
from frontend.schedules.view import schedule_rows, self_tests_line
from jobs import cache


@page("pools:read")
def schedules(request: HttpRequest) -> HttpResponseBase:
    """All schedules, with when they ran last and when they run next."""
    inventory = cache.current()
    rows = schedule_rows(inventory) if inventory else ()
    return render(request, "schedules/schedules.html", {
        "rows": rows, "known": inventory is not None, "tests": self_tests_line(),
    })  # fmt: skip

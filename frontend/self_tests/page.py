"""When disks test themselves: the settings of the machine, and how each disk stands."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone

from disks.self_tests import stored
from disks.self_tests.overview import overview
from disks.self_tests.words import begins
from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.plans.at_once import carry_out, show_outcome
from frontend.self_tests.view import rows
from frontend.typed_size import whole_typed
from jobs import cache
from jobs.schedules.sentence import DAYS
from jobs.schedules.zone import usual_zone
from jobs.wording import capital

_NUMBERS = (
    "short_days", "long_days", "short_longest_days", "long_longest_days", "from_hour", "until_hour",
    "at_once",
)  # fmt: skip
_FIELDS = {name: name for name in (*_NUMBERS, "weekdays")}


@page("disks:read")
def self_tests(request: HttpRequest) -> HttpResponseBase:
    """All disks; a POST changes the settings of the machine."""
    form: dict[str, Any] = msgspec.structs.asdict(stored.settings())
    errors = Errors()
    if request.method == "POST":
        form = _typed(request)
        outcome = carry_out(request, "self-tests.set", form)
        errors = beside(outcome.findings, _FIELDS)
        if not outcome.findings:
            show_outcome(request, outcome, "Self-tests saved.")
            return redirect("self-tests")
    inventory = cache.current()
    context = {
        "form": form,
        "errors": errors,
        "days": DAYS,
        "hours": range(24),
        "now": capital(begins(stored.settings())),
        "zone": usual_zone(inventory),
        "rows": rows(overview(inventory, timezone.now())) if inventory else (),
        "why_shut": why_shut(request.user, "disks:write"),
    }
    return render(request, "self_tests/self_tests.html", context, status=422 if errors else 200)


def _typed(request: HttpRequest) -> dict[str, Any]:
    numbers = {name: whole_typed(request.POST.get(name, "").strip()) for name in _NUMBERS}
    return numbers | {
        "enabled": request.POST.get("enabled") == "yes",
        "weekdays": request.POST.getlist("weekdays"),
    }

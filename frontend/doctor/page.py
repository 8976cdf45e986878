"""The doctor: everything that is examined, what is wrong with it, and what mends it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from alerts.doctor.acknowledge import USUAL
from alerts.doctor.examine import Examination, examine
from alerts.doctor.finding import DoctorFinding
from alerts.gathering import gather_all
from frontend.access import page, why_shut
from frontend.doctor.view import groups, view
from frontend.findings import Errors, beside
from frontend.plans.at_once import carry_out, show_outcome
from jobs import cache
from jobs.plan import Finding

_FIELDS = {"note": "note", "until": "until", "for_good": "until"}


@page("alerts:read")
def doctor(request: HttpRequest) -> HttpResponseBase:
    """All findings by how bad they are, and what was examined and found well."""
    inventory = cache.current()
    seen = examine(inventory, gather_all(inventory)) if inventory else None
    return render(request, "doctor/doctor.html", _context(request, seen))


@page("alerts:read")
@require_POST
def acknowledge(request: HttpRequest) -> HttpResponseBase:
    """Keep a finding apart until a day; without script and with errors beside their fields."""
    sent = {name: request.POST.get(name, "") for name in ("code", "subject", "note", "until", "for_good")}
    asked: dict[str, Any] = {"code": sent["code"], "subject": sent["subject"], "note": sent["note"].strip()}
    if sent["for_good"]:
        asked["for_good"] = True
    elif sent["until"]:
        asked["until"] = sent["until"]
    outcome = carry_out(request, "doctor.acknowledge", asked)
    if outcome.findings:
        return _again(request, sent, outcome.findings)
    show_outcome(request, outcome, "Acknowledged. It is listed separately until then, and still checked.")
    return redirect("doctor")


@page("alerts:read")
@require_POST
def withdraw(request: HttpRequest) -> HttpResponseBase:
    """Tell a finding again."""
    asked = {name: request.POST.get(name, "") for name in ("code", "subject")}
    show_outcome(request, carry_out(request, "doctor.recall", asked), "The finding is reported again.")
    return redirect("doctor")


def _again(request: HttpRequest, sent: dict[str, str], findings: tuple[Finding, ...]) -> HttpResponseBase:
    inventory = cache.current()
    seen = examine(inventory, gather_all(inventory)) if inventory else None
    context = _context(request, seen)
    errors = beside(findings, _FIELDS)
    return render(request, "doctor/doctor.html", context | {"sent": sent, "errors": errors}, status=422)


def _context(request: HttpRequest, seen: Examination | None) -> dict[str, Any]:
    def shown(findings: tuple[DoctorFinding, ...]) -> list[Any]:
        return [view(finding, request.user) for finding in findings]

    today: date = datetime.now(UTC).date()
    context: dict[str, Any] = {
        "seen": seen, "errors": Errors(), "sent": {},
        "why_shut": why_shut(request.user, "alerts:write"), "usual": today + USUAL,
        "today": today, "latest": today + timedelta(days=366),
    }  # fmt: skip
    if seen is not None:
        context |= {"groups": groups(shown(seen.findings)), "acknowledged": shown(seen.acknowledged)}
    return context

"""System → Power: what a restart or a shutdown would interrupt now, and both buttons."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render

from frontend import asking
from frontend.access import is_htmx, page, part, unchanged, why_shut
from frontend.findings import messages
from frontend.plans.page import propose
from jobs import cache
from jobs.plan import Finding
from machine.power.impact import findings_of
from machine.power.use import ORDERS, QUESTION, MachineUse

_SCOPE = "system:write"


@page("system:read")
def power(request: HttpRequest) -> HttpResponseBase:
    """Asks the machine again every few seconds while somebody looks who may; a POST shows the plan."""
    if request.method == "POST":
        wanted = f"machine.{request.POST.get('do', '')}"
        return propose(request, wanted if wanted in ORDERS else "machine.restart", {})
    may = request.user.has_perm(_SCOPE)
    report = asking.ask(request, QUESTION, {}) if may else asking.AnswerView()
    use: MachineUse | None = report.answer
    if report.waiting and is_htmx(request) and request.GET.get("seen"):
        return HttpResponse(status=204)  # what is shown stays until there is something newer
    inventory = cache.current()
    findings = findings_of(inventory, use) if inventory and use else ()
    mark = _mark(use, findings) if use else ""
    if mark and (answer := unchanged(request, mark)):
        return answer
    booted = datetime.fromtimestamp(inventory.facts.booted, UTC).isoformat() if inventory else None
    context = {
        "report": report,
        "mark": mark,
        "use": use,
        "booted": booted,
        "obstacles": messages(findings, "error"),
        "warnings": messages(findings, "warning"),
        "notes": messages(findings, "info"),
        "live": may,
        "why_shut": why_shut(request.user, _SCOPE),
    }
    return render(request, part(request, "power/power.html"), context)


@page()
def start(_request: HttpRequest) -> HttpResponseBase:
    """Which start of the machine this is: js/away.js asks, and knows by another one that it is back."""
    inventory = cache.current()
    answer = JsonResponse({"start": inventory.naming.boot if inventory else ""})
    answer["Cache-Control"] = "no-store"
    return answer


def _mark(use: MachineUse, findings: tuple[Finding, ...]) -> str:
    """Changes whenever something is to be shown anew."""
    return sha256(msgspec.json.encode((use, findings))).hexdigest()[:16]

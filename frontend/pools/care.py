"""The care of a pool: what its buttons do, its schedules, and what scrubs found."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.at_once import carry_out, show_outcome
from frontend.plans.page import propose
from frontend.pools.care_view import scan_view, schedule_of
from frontend.typed_size import whole_typed
from host.inventory import Inventory, Pool
from jobs import cache
from jobs.plan import Finding
from jobs.planning.findings import Findings
from jobs.schedules import cron
from jobs.schedules import sentence as picker
from jobs.schedules.cron import zones
from jobs.schedules.sentence import on_the_wall
from jobs.schedules.zone import usual_zone
from pools.care.defaults import SCRUB_CRON, TRIM_CRON
from pools.care.history import scans_of
from pools.links import pool_href

# Harmless and at once: the operation, its action, and the sentence for success.
_AT_ONCE = {
    "scrub": ("pool.scrub", "start", "Scrub started."),
    "scrub-pause": ("pool.scrub", "pause", "Scrub paused."),
    "scrub-stop": ("pool.scrub", "stop", "Scrub stopped."),
    "trim": ("pool.trim", "start", "Trim started."),
    "trim-suspend": ("pool.trim", "suspend", "Trim suspended."),
    "trim-cancel": ("pool.trim", "cancel", "Trim cancelled."),
    "initialize-suspend": ("pool.initialize", "suspend", "Initialization suspended."),
    "initialize-cancel": ("pool.initialize", "cancel", "Initialization cancelled."),
}
# First shown as a plan.
_PLANNED: dict[str, tuple[str, dict[str, Any]]] = {
    "export": ("pool.export", {}),
    "relink": ("pool.relink", {}),
    "upgrade": ("pool.upgrade", {}),
    "initialize": ("pool.initialize", {}),
    "checkpoint": ("pool.checkpoint", {"action": "take"}),
    "checkpoint-discard": ("pool.checkpoint", {"action": "discard"}),
}
_FIELDS = {
    "cron": "cron",
    "time_zone": "time_zone",
    "missed": "missed",
    "longest_age_days": "longest_age_days",
}
_PREVIEWED = 5


@page("pools:read")
@require_POST
def care(request: HttpRequest, name: str) -> HttpResponseBase:
    """`do` says what: a scrub or trim at once, anything else as a plan."""
    if _found(name) is None:
        return missing(request, f"There is no pool {name}")
    do = request.POST.get("do", "")
    if do in _AT_ONCE:
        operation, action, done = _AT_ONCE[do]
        show_outcome(request, carry_out(request, operation, {"name": name, "action": action}), done)
        return redirect(f"{pool_href(name)}#care")
    if do in _PLANNED:
        operation, more = _PLANNED[do]
        return propose(request, operation, {"name": name} | more)
    raise SuspiciousOperation("Unknown action.")


@page("pools:read")
def scrubs(request: HttpRequest, name: str) -> HttpResponseBase:
    """What scrubs and resilvers found, newest first."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no pool {name}")
    names = request.user.has_perm("files:read")
    rows = [scan_view(record, names=names) for record in scans_of(known[1].guid)]
    return render(request, "pools/pool_scrubs.html", {"pool": known[1], "rows": rows})


@page("pools:read")
def schedule(request: HttpRequest, name: str, kind: str) -> HttpResponseBase:
    """When a pool is scrubbed or trimmed; a POST changes that, or shows the next times of what was typed."""
    if (known := _found(name)) is None or kind not in {"scrub", "trim"}:
        return missing(request, f"There is no pool {name}")
    inventory, pool = known
    if request.method != "POST":
        return _form(request, inventory, pool, kind)
    current = schedule_of(pool, inventory, kind)
    do = request.POST.get("do", "")
    if do == "preview":
        return _form(request, inventory, pool, kind, sent=True)
    if current is not None and do in {"pause", "resume"}:
        outcome = carry_out(request, "schedule.change", {"id": current.id, "enabled": do == "resume"})
        show_outcome(request, outcome, "Resumed." if do == "resume" else "Paused.")
        return redirect(f"{pool_href(name)}#care")
    if current is not None and do == "delete":
        return propose(request, "schedule.delete", {"id": current.id})
    data = _typed(request)
    if current is not None:
        outcome = carry_out(request, "schedule.change", {"id": current.id} | data)
    else:
        outcome = carry_out(request, "pool.schedule", {"pool": name, "kind": kind} | data)
    if outcome.findings:
        return _form(request, inventory, pool, kind, sent=True, findings=outcome.findings)
    show_outcome(request, outcome, "Schedule saved.")
    return redirect(f"{pool_href(name)}#care")


def _typed(request: HttpRequest) -> dict[str, Any]:
    age = request.POST.get("longest_age_days", "").strip()
    return {
        "cron": picker.typed(request.POST.dict()).line(),
        "time_zone": request.POST.get("time_zone", "").strip(),
        "missed": request.POST.get("missed", "run"),
        "longest_age_days": whole_typed(age) if age else None,
    }


def _form(
    request: HttpRequest,
    inventory: Inventory,
    pool: Pool,
    kind: str,
    *,
    sent: bool = False,
    findings: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    current = schedule_of(pool, inventory, kind)
    form: dict[str, Any] = _typed(request) if sent else {
        "cron": current.cron if current else SCRUB_CRON if kind == "scrub" else TRIM_CRON,
        "time_zone": current.time_zone if current else usual_zone(inventory),
        "missed": current.missed if current else "run",
        "longest_age_days": current.longest_age_days if current else None,
    }  # fmt: skip
    checked = Findings()
    cron.check(form["cron"], form["time_zone"], checked)
    faults = findings or tuple(f for f in checked.all() if sent)
    good = not any(finding.level == "error" for finding in checked.all())
    now = datetime.now(UTC)
    coming = cron.first(_PREVIEWED, form["cron"], form["time_zone"], now) if good else ()
    context = {
        "pool": pool,
        "kind": kind,
        "current": current,
        "sentence": picker.sentence(current.cron) if current else "",
        "form": form,
        "picked": picker.typed(request.POST.dict()) if sent else picker.picked(form["cron"]),
        "every": picker.EVERY,
        "weeks": picker.WEEKS,
        "days": picker.DAYS,
        "zones": sorted(zones()),
        "times": [on_the_wall(time, form["time_zone"]) for time in coming],
        "errors": beside(faults, _FIELDS) if faults else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "pools/pool_schedule.html", context, status=422 if faults else 200)


def _found(name: str) -> tuple[Inventory, Pool] | None:
    inventory = cache.current()
    found = inventory.pool(name) if inventory else None
    return (inventory, found) if inventory and found else None

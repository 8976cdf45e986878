"""Settings: what the machine is called, and its time zone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.findings import beside
from frontend.plans.page import propose
from frontend.states import StateView
from jobs import cache
from jobs.plan import Finding
from machine.naming.set_time_zone import zones

_FIELDS = {"name": "name", "time_zone": "time_zone"}
_CLOCK = {
    True: StateView(tone="good", icon="circle-check", word="synchronized (NTP)"),
    False: StateView(tone="warn", icon="triangle-alert", word="not synchronized"),
    None: StateView(tone="idle", icon="circle-dashed", word="not known"),
}


@page("system:read")
def machine(request: HttpRequest) -> HttpResponseBase:
    """Both forms; a POST asks for the plan of the one that was sent."""
    if request.method != "POST":
        return _show(request)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, findings)

    if "time_zone" in request.POST:
        data = {"time_zone": request.POST["time_zone"].strip()}
        return propose(request, "machine.set-time-zone", data, refused=refused)
    data = {"name": request.POST.get("name", "").strip()}
    return propose(request, "machine.set-name", data, refused=refused)


def _show(request: HttpRequest, findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
    return render(
        request, "machine/machine.html", form_context(request, findings), status=422 if findings else 200
    )


def form_context(request: HttpRequest, findings: tuple[Finding, ...] = ()) -> dict[str, Any]:
    """What `parts/machine_name.html` and `parts/machine_zone.html` show."""
    inventory = cache.current()
    naming = inventory.naming if inventory else None
    zone = naming.time_zone if naming else None
    return {
        "naming": naming,
        "name": request.POST.get("name", naming.name if naming else ""),
        "zone": request.POST.get("time_zone", zone or "UTC"),
        "zones": _offered(zone),
        "there": _local(zone),
        "clock": _CLOCK[naming.synchronized if naming else None],
        "errors": beside(findings, _FIELDS),
        "why_shut": why_shut(request.user, "system:write"),
    }


def _offered(zone: str | None) -> tuple[str, ...]:
    """All zones, and the one that is set where it goes by an odd name."""
    return zones() if zone is None or zone in zones() else (zone, *zones())


def _local(zone: str | None) -> str:
    """The time of day in the machine's zone."""
    try:
        return f"{datetime.now(ZoneInfo(zone)) if zone else datetime.now(UTC):%Y-%m-%d %H:%M}"
    except (ZoneInfoNotFoundError, ValueError):
        return ""

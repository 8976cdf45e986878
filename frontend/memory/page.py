"""Settings: ZFS's cache in memory, what it does for this machine, and how large it may be."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.findings import beside
from frontend.plans.page import propose
from frontend.typed_size import bytes_typed
from host.contents.arc import LEFT_BYTES, default_max
from host.inventory import ArcBounds, Inventory
from jobs import cache
from jobs.plan import Finding
from machine.arc.advice import advice
from machine.arc.figures import SPANS, gather

_FIELDS = {"max_bytes": "max", "min_bytes": "min"}
_GIB = 1 << 30


@page("system:read")
def memory(request: HttpRequest) -> HttpResponseBase:
    """The figures and the form; a POST asks for the plan."""
    if request.method != "POST":
        return _show(request)
    # The second button sends neither field: ZFS decides.
    data = {f"{name}_bytes": bytes_typed(request.POST.get(name, ""), "G") for name in ("max", "min")}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, findings)

    return propose(request, "machine.set-arc", data, refused=refused)


def _show(request: HttpRequest, findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
    inventory = cache.current()
    context: dict[str, Any] = {
        "errors": beside(findings, _FIELDS),
        "why_shut": why_shut(request.user, "system:write"),
    }
    if inventory is not None:
        context |= _known(inventory, request.POST.dict())
    return render(request, "memory/memory.html", context, status=422 if findings else 200)


def _known(inventory: Inventory, sent: dict[str, str]) -> dict[str, Any]:
    figures = gather(inventory, datetime.now(UTC))
    kept = inventory.arc.kept or ArcBounds()
    most = inventory.facts.memory_bytes - LEFT_BYTES
    return {
        "figures": figures,
        "arc": inventory.arc,
        "advice": advice(figures),
        "hits": [(span, figures.hit_percent[span]) for span in SPANS if span in figures.hit_percent],
        "kept": inventory.arc.kept,
        "default_max": default_max(inventory.facts.memory_bytes),
        "max": sent.get("max", _typed(kept.max_bytes)),
        "min": sent.get("min", _typed(kept.min_bytes)),
        "memory_gib": f"{inventory.facts.memory_bytes / _GIB:.2f}",
        "slider_max": f"{max(most, 0) / _GIB:.2f}",
    }


def _typed(size_bytes: int) -> str:
    """As it would be typed, in GiB."""
    return f"{size_bytes / _GIB:.9g}" if size_bytes else ""

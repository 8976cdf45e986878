"""The audit log: who did what, when."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page
from jobs import withheld
from jobs.models import AuditEvent

_PER_PAGE = 100


@page("system:read")
def audit(request: HttpRequest) -> HttpResponseBase:
    """Newest first, a page at a time; `?actor=` and `?action=` narrow it to one person and one kind."""
    chosen = {name: request.GET.get(name, "").strip()[:150] for name in ("actor", "action")}
    found = AuditEvent.objects.filter(**{name: value for name, value in chosen.items() if value})
    before = request.GET.get("before", "")
    if before.isascii() and before.isdecimal() and len(before) < 18:
        found = found.filter(pk__lt=int(before))
    rows = list(found[: _PER_PAGE + 1])
    shown = rows[:_PER_PAGE]
    context: dict[str, Any] = {
        "rows": [withheld.event_view(row, request.user) for row in shown],
        "chosen": chosen,
        "actors": _actors(),
        "actions": AuditEvent.objects.order_by("action").values_list("action", flat=True).distinct()[:200],
        "next": shown[-1].pk if len(rows) > _PER_PAGE else None,
    }
    return render(request, "audit/audit.html", context)


def _actors() -> list[str]:
    named = AuditEvent.objects.exclude(actor="").order_by("actor")
    return list(named.values_list("actor", flat=True).distinct()[:100])

"""The page that changes a target: its name, how it is reached, whether its disk is unplugged now and then."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.targets.page import port_of
from host.replication.values import Target
from jobs.plan import Finding
from replication.models import TargetRow
from replication.stored import target_of

_TEXTS = {"pool": ("name",), "nasweb": ("name", "host"), "ssh": ("name", "host", "user")}


@page("pools:read")
def change(request: HttpRequest, number: int) -> HttpResponseBase:
    """The form; a POST asks for the plan of what differs."""
    row = TargetRow.objects.filter(pk=number).first() if number < 1 << 63 else None
    if row is None:
        return missing(request, "There is no such target")
    known = target_of(row)
    if request.method != "POST":
        return _form(request, known, _fields_of(known))
    typed = {name: request.POST.get(name, "").strip()[:1024] for name in _TEXTS[known.kind]}
    sent: dict[str, Any] = typed | {"host": typed["host"].lower()} if "host" in typed else typed
    if known.kind == "pool":
        sent["rotating"] = request.POST.get("rotating") == "yes"
    else:
        sent["port"] = port_of(request.POST.get("port", "").strip() or "22")

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _form(request, known, sent, beside(findings, {name: name for name in sent}))

    before = _fields_of(known)
    differs = {name: value for name, value in sent.items() if value != before[name]}
    return propose(request, "target.change", {"id": known.id, **differs}, refused=refused)


def _fields_of(known: Target) -> dict[str, Any]:
    return {name: getattr(known, name) for name in ("name", "host", "port", "user", "rotating")}


def _form(
    request: HttpRequest, known: Target, sent: dict[str, Any], errors: Errors | None = None
) -> HttpResponseBase:
    context = {
        "target": known,
        "sent": sent,
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "targets/change.html", context, status=422 if errors else 200)

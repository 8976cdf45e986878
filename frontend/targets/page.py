"""Where replicas lie: the list, three ways to add a target, and the page of one."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend import asking
from frontend.access import page, part, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.targets.view import pairing_view, target_view
from host.pairing.protocol import code_fault
from jobs import cache
from jobs.plan import Finding
from jobs.planning.findings import fault
from jobs.rights import ADMIN
from replication.api.pairings import answer_of as pairing_answer
from replication.api.targets import answer_of
from replication.models import PairingRow, TargetRow
from replication.targets.reaching import PROBE, SETUP

_FIELDS = {name: name for name in ("name", "host", "port", "user", "dataset", "code")}
_WAYS = ("nasweb", "ssh", "pool")
_LONGEST_PORT = 5


@page("pools:read")
def targets(request: HttpRequest) -> HttpResponseBase:
    """All targets, and all machines that may replicate to this one."""
    inventory = cache.current()
    rows = TargetRow.objects.all() if inventory else ()
    context = {
        "targets": [target_view(answer_of(row, inventory)) for row in rows] if inventory else [],
        "pairings": [pairing_view(pairing_answer(row)) for row in PairingRow.objects.all()],
    }
    return render(request, "targets/targets.html", context)


@page("pools:read")
def add(request: HttpRequest) -> HttpResponseBase:
    """The three forms; a POST asks for the plan of the one that was sent."""
    if request.method != "POST" or "request" in request.POST:
        sent = sent_request(request) if "request" in request.POST else {}
        return _add(request, str(sent.get("kind", request.GET.get("way", "nasweb"))), sent)
    way = request.POST.get("way", "")
    if way not in _WAYS:
        raise SuspiciousOperation("Unknown way.")
    fields = {name: request.POST.get(name, "").strip()[:1024] for name in ("name", "host", "user", "dataset")}
    data: dict[str, Any]
    faults: tuple[Finding, ...] = ()
    if way == "nasweb":
        code = request.POST.get("code", "")[:100].strip()
        data = {"name": fields["name"], "host": fields["host"].lower(), "code": code}
        if said := code_fault(code):
            faults = (fault("bad-code", "code", said),)
            data.pop("code")
    elif way == "ssh":
        data = {"kind": "ssh", **fields, "host": fields["host"].lower()}
    else:
        data = {"kind": "pool", "name": fields["name"], "dataset": fields["dataset"]}
        data["rotating"] = request.POST.get("rotating") == "yes"
    if port := request.POST.get("port", "").strip():
        data["port"] = port_of(port)
    shown = fields | {"port": request.POST.get("port", ""), "rotating": data.get("rotating")}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _add(request, way, shown, beside(findings, _FIELDS))

    if faults:
        return refused(faults)
    return propose(request, "target.pair" if way == "nasweb" else "target.create", data, refused=refused)


def port_of(text: str) -> int | str:
    """The number that was typed; what is none stays as it is, for the plan to name it."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_PORT else text


@page("pools:read")
def target(request: HttpRequest, number: int) -> HttpResponseBase:
    """One target; a POST changes it, trusts its host keys or removes it."""
    row = TargetRow.objects.filter(pk=number).first() if number < 1 << 63 else None
    inventory = cache.current()
    if row is None or inventory is None:
        return missing(request, "There is no such target")
    if request.method == "POST":
        return _act(request, row)
    view = target_view(answer_of(row, inventory))
    context: dict[str, Any] = {
        "view": view,
        "here": request.path,
        "why_shut": why_shut(request.user, "pools:write"),
    }
    if view.target.host:
        context["setup"] = asking.ask(request, SETUP, {"id": number}) if view.target.kind == "ssh" else None
        context["probe"] = asking.ask(request, PROBE, {"id": number})
    return render(request, part(request, "targets/target.html"), context)


def _act(request: HttpRequest, row: TargetRow) -> HttpResponseBase:
    do = request.POST.get("do", "")
    if do == "remove":
        return propose(request, "target.remove", {"id": row.pk})
    if do == "trust":
        keys = request.POST.getlist("host_keys")[:6]
        return propose(request, "target.trust", {"id": row.pk, "host_keys": keys})
    raise SuspiciousOperation("Unknown action.")


def _add(
    request: HttpRequest, way: str, sent: dict[str, Any], errors: Errors | None = None
) -> HttpResponseBase:
    inventory = cache.current()
    context = {
        "way": way if way in _WAYS else "nasweb",
        "sent": sent,
        "errors": errors or Errors(),
        "pools": [pool.name for pool in inventory.pools] if inventory else [],
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_pairing": why_shut(request.user, "pools:write", ADMIN),
    }
    return render(request, "targets/new.html", context, status=422 if errors else 200)

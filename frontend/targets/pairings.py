"""Machines that may replicate to this one: a place for one, its code, and its page."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from frontend import asking
from frontend.access import page, part, unchanged, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.targets.received import ReceivedView, received_views
from frontend.targets.view import datasets_of, pairing_view, suggested_places, time_left
from jobs import cache
from jobs.plan import Finding, Refused
from jobs.rights import ADMIN
from replication.api.pairings import answer_of, host_keys_of
from replication.models import PairingRow
from replication.pairings import codes
from replication.pairings.identity import QUESTION
from replication.stored import pairing_of

_FIELDS = {"name": "name", "dataset": "dataset", "shared": "shared"}
_MOST = 200
_WAIT_S = 8.0


@page("pools:read")
def offer(request: HttpRequest) -> HttpResponseBase:
    """The form, or the plan for it."""
    if request.method != "POST" or "request" in request.POST:
        return _offer(request, sent_request(request) if "request" in request.POST else {})
    data: dict[str, Any] = {name: request.POST.get(name, "").strip()[:1024] for name in ("name", "dataset")}
    data["shared"] = request.POST.getlist("shared")[:_MOST]

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _offer(request, data, beside(findings, _FIELDS))

    return propose(request, "pairing.offer", data, refused=refused)


@page("pools:read")
def pairing(request: HttpRequest, number: int) -> HttpResponseBase:
    """One machine; a POST shows a code for it, changes what it may fetch, or unpairs it."""
    row = PairingRow.objects.filter(pk=number).first() if number < 1 << 63 else None
    if row is None:
        return missing(request, "There is no such pairing")
    if request.method == "POST":
        return _act(request, row)
    return _show(request, row)


def _act(request: HttpRequest, row: PairingRow) -> HttpResponseBase:
    do = request.POST.get("do", "")
    if do == "remove":
        return propose(request, "pairing.remove", {"id": row.pk})
    if do == "change":
        shared = request.POST.getlist("shared")[:_MOST]

        def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
            return _show(request, row, tuple(one.message for one in findings if one.level == "error"))

        return propose(request, "pairing.change", {"id": row.pk, "shared": shared}, refused=refused)
    if do in {"go-live", "freeze"}:
        received = {one.name for one in _received(row)}
        if (dataset := request.POST.get("dataset", "")) not in received:
            return _show(request, row, ("That replica is not there any more.",))

        def stays(findings: tuple[Finding, ...]) -> HttpResponseBase:
            return _show(request, row, tuple(one.message for one in findings if one.level == "error"))

        return propose(request, f"replication.{do}", {"dataset": dataset}, refused=stays)
    if do != "code":
        raise SuspiciousOperation("Unknown action.")
    if not request.user.has_perm(ADMIN):
        raise PermissionDenied("Only admins pair machines.")
    asked = asking.ask(request, QUESTION, {}, timeout_s=_WAIT_S)
    try:
        if asked.answer is None:
            said = [one.message for one in asked.findings] or ["The machine has not answered yet. Try again."]
            return _show(request, row, tuple(said))
        codes.make(row, host_keys_of(asked.answer), request.user.get_username())
    except Refused as refused_code:
        return _show(request, row, tuple(one.message for one in refused_code.findings))
    return redirect("pairing", number=row.pk)


@sensitive_variables("code")
def _show(request: HttpRequest, row: PairingRow, said: tuple[str, ...] = ()) -> HttpResponseBase:
    now = timezone.now()
    view = pairing_view(answer_of(row))
    until = codes.waits_until(row, now)
    left = time_left(until, now) if until else ""
    mark = f"{view.state.word}|{left}"
    if answer := unchanged(request, mark):
        return answer
    inventory = cache.current()
    may = request.user.has_perm(ADMIN)
    code = codes.shown(row, now) if until and may else ""
    context = {
        "view": view, "code": code.split("-") if code else (), "left": left, "mark": mark, "said": said,
        "choices": datasets_of(inventory), "received": _received(row), "here": request.path,
        "why_shut": why_shut(request.user, "pools:write", ADMIN),
        "why_no_removing": why_shut(request.user, "pools:write"),
    }  # fmt: skip
    answer = render(request, part(request, "targets/pairing.html"), context, status=422 if said else 200)
    answer["Cache-Control"] = "no-store"
    return answer


def _received(row: PairingRow) -> tuple[ReceivedView, ...]:
    inventory = cache.current()
    return () if inventory is None else received_views(pairing_of(row), inventory)


def _offer(request: HttpRequest, sent: dict[str, Any], errors: Errors | None = None) -> HttpResponse:
    inventory = cache.current()
    places = suggested_places(inventory)
    shared = sent.get("shared")
    context = {
        "name": str(sent.get("name", "")),
        "dataset": str(sent.get("dataset", places[0] if places else "")),
        "shared": tuple(map(str, shared)) if isinstance(shared, list | tuple) else (),
        "places": places,
        "choices": datasets_of(inventory),
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "pools:write", ADMIN),
    }
    return render(request, "targets/offer.html", context, status=422 if errors else 200)

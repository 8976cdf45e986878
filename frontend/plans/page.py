"""The one way from a form to a job: the plan is shown, decided on, and submitted."""

from __future__ import annotations

import json
from collections.abc import Callable
from secrets import token_hex
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.plans import at_once
from frontend.plans.elsewhere import elsewhere
from frontend.plans.new_vdevs import vdevs_to_make
from frontend.plans.sent_request import sent_request
from frontend.plans.unwell import unwell_in
from frontend.plans.view import plan_view
from jobs import cache, retrying, secrets, submission
from jobs.operation import UnknownOperation
from jobs.operation import operation as operation_called
from jobs.plan import Finding, Plan, Refused
from jobs.planning import effects
from jobs.wording import Link
from pools.unwell import FIELD, UNCONFIRMED


class _Unconfirmed(Exception):
    """The plan was read, and what it destroys not agreed to."""


OnRefusal = Callable[[tuple[Finding, ...]], HttpResponseBase]


def propose(
    request: HttpRequest,
    operation: str,
    data: dict[str, Any],
    *,
    refused: OnRefusal | None = None,
    kept: bool = False,
    faults: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    """The plan for `data` as a page; what is harmless is done at once, unless it sent `review`.

    Where it is refused, what `refused` makes of the findings.

    The page carries references instead of the secrets in `data`, or those that are `kept` already. `faults`
    of what was typed refuse it together with those of the plan.
    """
    try:
        if kept:
            return _planned(request, operation, data)
        with secrets.sealed(operation_called(operation).request, data) as sealed:
            data = sealed.data
            return _planned(request, operation, data, faults=(*faults, *sealed.faults))
    except Refused as refused_plan:
        if refused is not None:
            return refused(refused_plan.findings)
        return refusal(request, operation, data, refused_plan.findings)
    except submission.Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None


def _planned(
    request: HttpRequest, operation: str, data: dict[str, Any], *, faults: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    """The plan; where only the consent to disks that are not well is wanting, the page that asks for it."""
    try:
        plan = submission.prepare(operation, data, request.user, faults=faults)
    except Refused as refused:
        if (asked := _ask_unwell(request, operation, data, refused)) is None:
            raise
        return asked
    row = operation_called(operation)
    at_click = row.effect_of(data) == "harmless" and effects.is_harmless(plan)
    if not at_click or request.POST.get("review") == "yes":
        return _page(request, plan, data)
    outcome = at_once.carry_out(request, operation, data)
    at_once.show_outcome(request, outcome, f"{row.title(data)}: done.")
    return at_once.back_to(request, row.result(data).href)


def _ask_unwell(
    request: HttpRequest, operation: str, data: dict[str, Any], refused: Refused
) -> HttpResponseBase | None:
    """The page that asks for that consent; None where something else is wrong too."""
    errors = [finding for finding in refused.findings if finding.level == "error"]
    if any(finding.code != UNCONFIRMED for finding in errors):
        return None
    asked = operation_called(operation)
    if FIELD not in asked.request.__struct_fields__:
        return None
    context = {
        "title": asked.title(data),
        **_place(asked.wording.page(data)),
        "operation": operation,
        "request_json": json.dumps(data),
        "editable": asked.wording.editable,
        "disks": unwell_in(data, cache.current()),
        "accepted": data.get(FIELD, ()),
        "sent": FIELD in data,
    }
    return render(request, "plans/unwell.html", context, status=422 if FIELD in data else 200)


@page("pools:read")
@require_POST
def again(request: HttpRequest) -> HttpResponseBase:
    """A fresh plan for a request that was made before, now with consent to disks that are not well."""
    operation, data = _asked(request)
    if "asked_unwell" in request.POST:
        data[FIELD] = request.POST.getlist(FIELD)
    return propose(request, operation, data, kept=True)


@page("pools:read")
@require_POST
def run(request: HttpRequest) -> HttpResponseBase:
    """Submit what was shown. Whatever stands in the way is said on the plan's own page."""
    operation, data = _asked(request)
    digest = request.POST.get("digest", "")
    key = request.POST.get("key", "")[:64] or None
    read: list[Plan] = []

    def confirmed(plan: Plan) -> None:
        read.append(plan)
        if plan.destroys and not _agreed(request, plan):
            raise _Unconfirmed

    try:
        job = retrying.submit(
            operation, data, request.user, digest=digest, idempotency_key=key, confirmed=confirmed
        )
    except _Unconfirmed:
        confirm = read[-1].confirm
        problem = f"Type {confirm} to confirm." if confirm else "Tick the box to confirm."
        return _page(request, read[-1], data, status=422, unconfirmed=problem)
    except submission.PlanStale as stale:
        return _page(request, stale.plan, data, status=409, stale=True)
    except submission.Busy as busy:
        held = busy.resource.replace(":", " ")
        return _page(request, read[-1], data, status=409, busy=busy, busy_with=held)
    except submission.IdempotencyMismatch:
        plan = submission.prepare(operation, data, request.user)
        return _page(request, plan, data, status=409, stale=True)
    except Refused as refused_plan:
        asked = _ask_unwell(request, operation, data, refused_plan)
        return asked or refusal(request, operation, data, refused_plan.findings)
    except submission.Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None
    return redirect("job", job.pk)


def _asked(request: HttpRequest) -> tuple[str, dict[str, Any]]:
    operation = request.POST.get("operation", "")
    try:
        operation_called(operation)
    except UnknownOperation:
        raise SuspiciousOperation("Unknown operation.") from None
    return operation, sent_request(request)


def _agreed(request: HttpRequest, plan: Plan) -> bool:
    if plan.confirm:
        return request.POST.get("typed", "").strip() == plan.confirm
    return request.POST.get("agreed") == "yes"


def _page(
    request: HttpRequest, plan: Plan, data: dict[str, Any], *, status: int = 200, **more: Any
) -> HttpResponseBase:
    shown = plan_view(plan, data)
    context = {
        "plan": shown,
        **_place(shown.origin),
        "operation": plan.operation,
        "digest": plan.digest,
        "request_json": json.dumps(data),
        "key": token_hex(16),
        "editable": operation_called(plan.operation).wording.editable,
        "typed": request.POST.get("typed", ""),
    }
    new_pool = {"pool.create": data, "machine.first-start": data.get("pool")}.get(plan.operation)
    if new_pool:
        context["makes"] = vdevs_to_make(new_pool, cache.current())
    if plan.operation == "network.set":
        context["elsewhere"] = elsewhere(request, data, cache.current())
    return render(request, "plans/plan.html", context | more, status=status)


def _place(origin: Link) -> dict[str, Any]:
    """Where somebody came from: the navigation shows that page, whatever the address of the plan is."""
    return {"origin": origin, "belongs_to": origin.href}


def refusal(
    request: HttpRequest,
    operation: str,
    data: dict[str, Any],
    findings: tuple[Finding, ...],
    *,
    wider: tuple[str, dict[str, Any]] | None = None,
) -> HttpResponseBase:
    """Why nothing can be done; `wider` the button and the request that would take it along."""
    asked = operation_called(operation)
    context = {
        "title": asked.title(data),
        "wider": wider[0] if wider else "",
        "wider_json": json.dumps(wider[1]) if wider else "",
        "findings": findings,
        **_place(asked.wording.page(data)),
        "operation": operation,
        "request_json": json.dumps(data),
        "editable": asked.wording.editable,
    }
    return render(request, "plans/refused.html", context, status=422)

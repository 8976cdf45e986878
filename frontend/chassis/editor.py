"""The chassis editor: choose a case or describe one, look at it, set it."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from disks.chassis import chassis, layout_of
from disks.profiles import PROFILES
from frontend.access import page, why_shut
from frontend.bays.chassis_view import blank
from frontend.chassis.form import (  # fmt: skip
    FIELDS,
    MOST_GROUPS,
    ORDERS,
    ORIGINS,
    LayoutForm,
    drawn,
    from_layout,
    from_post,
    of_layout,
    to_data,
)
from frontend.chassis.picture import picture
from frontend.findings import Errors, beside
from frontend.plans.at_once import carry_out, show_outcome
from frontend.plans.page import propose
from jobs import cache, submission
from jobs.plan import Finding, Plan, Refused
from jobs.wording import counted


class ProfileChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A case to begin with."""

    key: str
    name: str
    count: str
    picture: SafeString


class FieldView(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a block."""

    name: str
    title: str
    number: bool = False
    wide: bool = False
    hint: str = ""
    options: tuple[tuple[str, str], ...] = ()


_FIELD_VIEWS = (
    FieldView(name="name", title="Block"),
    FieldView(name="rows", title="Rows", number=True),
    FieldView(name="columns", title="Columns", number=True),
    FieldView(name="prefix", title="Label prefix"),
    FieldView(name="first", title="First number", number=True),
    FieldView(name="origin", title="Counted from", options=ORIGINS),
    FieldView(name="order", title="Counted", options=ORDERS),
    FieldView(name="labels", title="Or list every label, in order", wide=True, hint="A1, A2, B1, B2"),
)


@page("disks:read")
def edit(request: HttpRequest) -> HttpResponseBase:
    """The form; a POST draws it again, or sets the chassis."""
    if request.method != "POST":
        key = request.GET.get("profile", "")
        return _show(request, from_layout(PROFILES[key]) if key in PROFILES else _now(), chosen=key)
    form = from_post(request.POST)
    if "save" not in request.POST:
        return _show(request, form)
    data = to_data(form)
    try:
        plan = submission.prepare("chassis.set", data, request.user)
    except Refused as refused:
        return _show(request, form, refused.findings, status=422)
    except submission.Forbidden:
        return _show(request, form, status=403)
    if plan.destroys or any(finding.level == "warning" for finding in plan.findings):
        return propose(request, "chassis.set", data)
    outcome = carry_out(request, "chassis.set", data)
    if outcome.problem:
        problem = Finding(level="error", code="failed", field="", message=outcome.problem)
        return _show(request, form, (problem,), status=409)
    show_outcome(request, outcome, f"Chassis saved: {form.name}.")
    return redirect("disks")


@page("disks:read")
@require_POST
def preview(request: HttpRequest) -> HttpResponseBase:
    """The drawing of what is typed now, with what would be wrong with it."""
    return render(request, "chassis/chassis_editor.html#preview", _preview(request, from_post(request.POST)))


def _show(
    request: HttpRequest,
    form: LayoutForm,
    findings: tuple[Finding, ...] = (),
    *,
    chosen: str = "",
    status: int = 200,
) -> HttpResponseBase:
    inventory = cache.current()
    context: dict[str, Any] = {
        "form": form,
        "fields": _FIELD_VIEWS,
        "chosen": chosen,
        "profiles": [_choice(key) for key in PROFILES],
        "now_count": counted(len(chassis(inventory).bays), "bay") if inventory else "",
        "errors": beside(findings, _fields()) if findings else Errors(),
        "why_shut": why_shut(request.user, "disks:write"),
    }
    return render(request, "chassis/chassis_editor.html", context | _preview(request, form), status=status)


def _preview(request: HttpRequest, form: LayoutForm) -> dict[str, Any]:
    case = drawn(to_data(form))
    plan = _dry_run(request, form)
    findings = plan.findings if isinstance(plan, Plan) else plan
    return {
        "chassis": blank(case, form.name or "Chassis") if case else None,
        "problems": [finding.message for finding in findings if finding.level == "error"],
        "notes": [finding.message for finding in findings if finding.level != "error"],
    }


def _dry_run(request: HttpRequest, form: LayoutForm) -> Plan | tuple[Finding, ...]:
    try:
        return submission.prepare("chassis.set", to_data(form), request.user)
    except Refused as refused:
        return refused.findings
    except submission.Forbidden:
        return ()


def _fields() -> dict[str, str]:
    """From a finding's path to the form's field."""
    found = {"name": "name", "groups": "groups"}
    for index in range(MOST_GROUPS):
        found |= {f"groups[{index}].{field}": f"{field}-{index}" for field in FIELDS}
    return found


def _choice(key: str) -> ProfileChoice:
    case = of_layout(PROFILES[key])
    return ProfileChoice(
        key=key, name=PROFILES[key].name, count=counted(len(case.bays), "bay"), picture=picture(case)
    )


def _now() -> LayoutForm:
    inventory = cache.current()
    return from_layout(layout_of(inventory)) if inventory else LayoutForm()

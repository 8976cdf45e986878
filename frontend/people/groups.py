"""Groups of the people who use the shares: a new one, and the page of one."""

from __future__ import annotations

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.people.form import FIELDS
from frontend.people.view import member_choices
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from host.inventory import Accounts, Group, Inventory
from jobs import cache
from jobs.plan import Finding

_MOST = 5000


@page("shares:read")
def create(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it."""
    if request.method != "POST":
        return _new(request, "", ())
    if "request" in request.POST:
        sent = sent_request(request)
        members = sent.get("members")
        return _new(request, str(sent.get("name", "")), tuple(map(str, members)) if members else ())
    name = request.POST.get("name", "").strip()[:200]
    chosen = tuple(request.POST.getlist("members")[:_MOST])

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _new(request, name, chosen, errors=beside(findings, FIELDS))

    return propose(request, "group.create", {"name": name, "members": list(chosen)}, refused=refused)


@page("shares:read")
def group(request: HttpRequest, name: str) -> HttpResponseBase:
    """One group; a POST asks for the plan that changes or deletes it."""
    inventory = cache.current()
    found = inventory.accounts.group(name) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no group {name}")
    if request.method != "POST":
        return _one(request, inventory, found, found.members)
    do = request.POST.get("do", "")
    if do == "delete":
        return propose(request, "group.delete", {"name": name})
    if do != "change":
        raise SuspiciousOperation("Unknown action.")
    chosen = tuple(request.POST.getlist("members")[:_MOST])

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _one(request, inventory, found, chosen, errors=beside(findings, FIELDS))

    return propose(request, "group.change", {"name": name, "members": list(chosen)}, refused=refused)


def _new(
    request: HttpRequest, name: str, chosen: tuple[str, ...], *, errors: Errors | None = None
) -> HttpResponseBase:
    inventory = cache.current()
    accounts = inventory.accounts if inventory else Accounts()
    context = {
        "name": name,
        "choices": member_choices(accounts, chosen),
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
    }
    return render(request, "people/group_form.html", context, status=422 if errors else 200)


def _one(
    request: HttpRequest,
    inventory: Inventory,
    found: Group,
    chosen: tuple[str, ...],
    *,
    errors: Errors | None = None,
) -> HttpResponseBase:
    people = inventory.accounts
    context = {
        "group": found,
        "choices": member_choices(people, chosen),
        "others": tuple(name for name in found.members if people.person(name) is None),
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
        "why_no_destroying": why_shut(request.user, "shares:write", "destroy"),
    }
    return render(request, "people/group.html", context, status=422 if errors else 200)

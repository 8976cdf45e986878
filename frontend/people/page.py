"""People and groups of the shares: the list, a new person, and the page of one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from frontend.access import page, part, unchanged, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.people import form as people_form
from frontend.people.form import FIELDS, PersonForm
from frontend.people.view import (
    COLUMNS,
    MOST_ROWS,
    foreign_groups,
    group_choices,
    group_rows,
    person_rows,
    person_state,
)
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.shares.place_choices import to_make_in
from frontend.sorting import chosen, heads, in_order
from host.inventory import Accounts, Inventory, Person
from jobs import cache
from jobs.plan import Finding


@page("shares:read")
def people(request: HttpRequest) -> HttpResponseBase:
    """Who may use the shares, and the groups they are in."""
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    wanted = request.GET.get("q", "").strip()[:200]
    sort = chosen(request.GET.get("sort", ""), COLUMNS, otherwise="name")
    rows = in_order(person_rows(inventory, wanted) if inventory else (), sort, COLUMNS)
    groups = group_rows(inventory, wanted) if inventory else ()
    context = {
        "mark": mark,
        "has_datasets": bool(inventory and inventory.datasets),
        "known": inventory is not None,
        "silent": inventory is not None and not inventory.accounts.samba_answers,
        "q_people": wanted,
        "sort": sort,
        "heads": heads(COLUMNS, sort, lambda by: f"?{urlencode({'q': wanted, 'sort': by})}"),
        "count": len(inventory.accounts.people) if inventory else 0,
        "group_count": len(inventory.accounts.groups) if inventory else 0,
        "rows": rows[:MOST_ROWS],
        "more": len(rows[MOST_ROWS:]),
        "groups": groups[:MOST_ROWS],
        "more_groups": len(groups[MOST_ROWS:]),
    }
    return render(request, part(request, "people/people.html"), context)


@sensitive_post_parameters()
@page("shares:read")
@sensitive_variables()
def create(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it."""
    if request.method != "POST":
        places = _places(cache.current())
        folder_in = places[0] if places and request.GET.get("folder") == "yes" else ""
        name, groups = request.GET.get("name", "")[:200], tuple(request.GET.getlist("groups")[:20])
        return _new(request, PersonForm(name=name, groups=groups, folder_in=folder_in))
    if "request" in request.POST:
        sent = sent_request(request)
        return _new(request, people_form.of_request(sent), typed=sent.get("password") is not None)
    form = people_form.of_post(request.POST)
    details, secret = people_form.details(form), people_form.password(request.POST, needed=False)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _new(request, form, errors=beside(findings, FIELDS), typed=bool(secret.fields))

    operation, data = "person.create", {"name": form.name} | details.fields | secret.fields
    if form.folder_in:
        operation, data = "person.create-with-folder", data | {"folder": f"{form.folder_in}/{form.name}"}
    return propose(request, operation, data, refused=refused, faults=(*details.faults, *secret.faults))


@sensitive_post_parameters()
@page("shares:read")
@sensitive_variables()
def person(request: HttpRequest, name: str) -> HttpResponseBase:
    """One person; a POST asks for the plan that changes or deletes them."""
    inventory = cache.current()
    found = inventory.accounts.person(name) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no person {name}")
    if request.method != "POST":
        return _one(request, inventory, found, people_form.of_person(found))
    do = request.POST.get("do", "")
    if do == "delete":
        return propose(request, "person.delete", {"name": name})
    form = people_form.of_post(request.POST) if do == "change" else people_form.of_person(found)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _one(request, inventory, found, form, did=do, errors=beside(findings, FIELDS))

    if do == "password":
        asked = people_form.password(request.POST, needed=True)
        data = {"name": name} | asked.fields
        return propose(request, "person.password", data, refused=refused, faults=asked.faults)
    if do == "change":
        asked = people_form.details(form)
        data = {"name": name} | _kept_apart(asked.fields, found, inventory)
        return propose(request, "person.change", data, refused=refused, faults=asked.faults)
    raise SuspiciousOperation("Unknown action.")


def _kept_apart(fields: dict[str, Any], person: Person, inventory: Inventory) -> dict[str, Any]:
    """Without what only Samba keeps, where it knows nothing of the person and the form has no such fields."""
    if person.samba == "none" or not inventory.accounts.samba_answers:
        return {name: value for name, value in fields.items() if name not in {"disabled", "expires"}}
    return fields


def _new(
    request: HttpRequest, form: PersonForm, *, errors: Errors | None = None, typed: bool = False
) -> HttpResponseBase:
    inventory = cache.current()
    accounts = inventory.accounts if inventory else Accounts()
    context = {
        "form": form,
        "choices": group_choices(accounts, form.groups),
        "places": _places(inventory),
        "typed": typed,
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
    }
    return render(request, "people/person_form.html", context, status=422 if errors else 200)


def _places(inventory: Inventory | None) -> tuple[str, ...]:
    """Where a folder can be made."""
    return to_make_in(inventory) if inventory else ()


def _one(
    request: HttpRequest,
    inventory: Inventory,
    found: Person,
    form: PersonForm,
    *,
    did: str = "",
    errors: Errors | None = None,
) -> HttpResponseBase:
    context = {
        "person": found,
        "state": person_state(found, inventory),
        "silent": not inventory.accounts.samba_answers,
        "form": form,
        "choices": group_choices(inventory.accounts, form.groups),
        "foreign": foreign_groups(found, inventory.accounts),
        "did": did,
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
        "why_no_destroying": why_shut(request.user, "shares:write", "destroy"),
    }
    return render(request, "people/person.html", context, status=422 if errors else 200)

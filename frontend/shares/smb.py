"""One share of SMB: how to connect, its form, its end; and the form for a new one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.shares import form as share_form
from frontend.shares.connect_view import names_of, smb_clients
from frontend.shares.form import ShareForm, form_context
from frontend.shares.place_choices import to_share
from frontend.shares.view import share_state, who_words
from frontend.shares.who_form import who_rows
from host.inventory import Inventory, SmbShare
from jobs import cache
from jobs.plan import Finding
from shares.answers import smb_answer
from shares.links import rights_href
from shares.purposes import PURPOSES


@page("shares:read")
def share(request: HttpRequest, name: str) -> HttpResponseBase:
    """The share; a POST asks for the plan of what was changed. `?by=address` tells lines with the address."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no share {name}")
    inventory, found = known
    if request.method != "POST":
        return _show(request, inventory, found, share_form.of_share(found))
    form = share_form.of_post(request.POST, boxes=True)
    data, faults = share_form.changes(form, found), share_form.faults(form)
    if not data and not faults:
        return _show(request, inventory, found, form, unchanged_form=True)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, form, findings)

    return propose(request, "smb.change", {"share": found.name} | data, refused=refused, faults=faults)


@page("shares:read")
def create(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it."""
    inventory = cache.current()
    if request.method != "POST":
        return _show_new(request, inventory, ShareForm(dataset=request.GET.get("dataset", "")))
    if "request" in request.POST:
        return _show_new(request, inventory, share_form.of_request(sent_request(request)))
    form = share_form.of_post(request.POST, boxes=False)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show_new(request, inventory, form, findings)

    data = share_form.to_request(form)
    return propose(request, "smb.create", data, refused=refused, faults=share_form.faults(form))


@page("shares:read")
def delete(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan to stop sharing."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no share {name}")
    return propose(request, "smb.delete", {"share": known[1].name})


def _show(
    request: HttpRequest,
    inventory: Inventory,
    found: SmbShare,
    form: ShareForm,
    findings: tuple[Finding, ...] = (),
    *,
    unchanged_form: bool = False,
) -> HttpResponseBase:
    answer = smb_answer(found, inventory)
    names = names_of(inventory, request.get_host(), request.GET.get("by", ""))
    context = _choices(request, inventory, form, findings) | {
        "share": found,
        "answer": answer,
        "state": share_state(answer),
        "who": who_words(found),
        "purpose": next(one for one in PURPOSES if one.name == found.purpose),
        "known": inventory.dataset(found.dataset) is not None,
        "names": names,
        "clients": smb_clients(found, names),
        "rights": rights_href(found.dataset),
        "unchanged_form": unchanged_form,
    }
    return render(request, "shares/smb_share.html", context, status=422 if findings else 200)


def _show_new(
    request: HttpRequest, inventory: Inventory | None, form: ShareForm, findings: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    places = to_share(inventory) if inventory else ()
    context = _choices(request, inventory, form, findings) | {"places": places}
    return render(request, "shares/smb_form.html", context, status=422 if findings else 200)


def _choices(
    request: HttpRequest, inventory: Inventory | None, form: ShareForm, findings: tuple[Finding, ...]
) -> dict[str, Any]:
    return form_context(form) | {
        "who_rows": who_rows(form.who, inventory.accounts) if inventory else None,
        "purposes": PURPOSES,
        "errors": beside(findings, share_form.FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
    }


def _found(name: str) -> tuple[Inventory, SmbShare] | None:
    inventory = cache.current()
    found = inventory.sharing.smb_share(name) if inventory else None
    return (inventory, found) if inventory and found else None

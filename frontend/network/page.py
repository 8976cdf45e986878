"""Settings: the network, one interface, and the page that keeps a change."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from frontend.access import page, part, unchanged, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.network.form import FIELDS, NetworkForm, form_of, request_of, sent
from frontend.network.view import pending_view, ports, undone_view
from frontend.plans import at_once
from frontend.plans.elsewhere import user_of
from frontend.plans.page import propose
from host.inventory import Interface
from jobs import cache
from jobs.plan import Finding
from machine.network.set_network import why_not
from machine.network.settings import settings_now

_KEPT = "Network settings kept."
_BACK = "Network settings reverted."


@page("system:read")
def network(request: HttpRequest) -> HttpResponseBase:
    """All interfaces, and the change that waits."""
    inventory = cache.current()
    seen = "" if inventory is None else f"{hash((inventory.network, inventory.naming.name)):x}"
    if answer := unchanged(request, seen):
        return answer
    context = {
        "mark": seen,
        "ports": ports(inventory) if inventory else [],
        "pending": pending_view(inventory, request),
        "undone": undone_view(inventory) if inventory else None,
        "why_shut": why_shut(request.user, "system:write"),
    }
    return render(request, part(request, "network/network.html"), context)


@page("system:read")
def interface(request: HttpRequest, name: str) -> HttpResponseBase:
    """The form of one interface; a POST asks for the plan."""
    inventory = cache.current()
    found = inventory.network.interface(name) if inventory else None
    if found is None:
        return missing(request, f"There is no interface {name}")
    before = form_of(settings_now(found))
    if request.method != "POST":
        return _form(request, found, before)
    typed = sent(request.POST)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _form(request, found, typed, beside(findings, FIELDS))

    return propose(request, "network.set", request_of(typed, name, before), refused=refused)


@page("system:read")
@require_POST
def decide(request: HttpRequest, verb: str) -> HttpResponseBase:
    """Keep the change that waits, or take it back."""
    outcome = at_once.carry_out(request, f"network.{verb}", {})
    at_once.show_outcome(request, outcome, _KEPT if verb == "confirm" else _BACK)
    return at_once.back_to(request, "/settings/network/")


@login_not_required
@never_cache
def keep(request: HttpRequest, key: str) -> HttpResponseBase:
    """Keep the change, under whatever address this page was reached, without signing in there first.

    The key is in the address that the plan told of. It opens nothing else, and for a quarter of an hour.
    """
    user = User.objects.filter(username=user_of(key) or "", is_active=True).first()
    if user is None:
        return render(request, "network/network_keep.html", {"usable": False}, status=404)
    request.user = user
    if request.method == "POST":
        outcome = at_once.carry_out(request, "network.confirm", {})
        context = {"usable": True, "kept": not outcome.problem, "problem": outcome.problem}
        return render(request, "network/network_keep.html", context, status=422 if outcome.problem else 200)
    context = {"usable": True, "pending": pending_view(cache.current(), request)}
    return render(request, "network/network_keep.html", context)


def _form(
    request: HttpRequest, found: Interface, form: NetworkForm, errors: Errors | None = None
) -> HttpResponseBase:
    inventory = cache.current()
    context = {
        "port": found,
        "form": form,
        "errors": errors or Errors(),
        "why_not": why_not(found, inventory) if inventory else None,
        "pending": pending_view(inventory, request),
        "why_shut": why_shut(request.user, "system:write"),
    }
    return render(request, "network/network_interface.html", context, status=422 if errors else 200)

"""The first-boot wizard: it leads through pages that all exist without it, and remembers what was put off."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRefresh

from alerts.models import Channel
from frontend.access import is_htmx, page, part, unchanged, why_shut
from frontend.machine.page import form_context
from frontend.welcome import going_back as welcome_return
from frontend.welcome.summary import summary as summary_view
from frontend.welcome.view import doing, lines, state_view
from jobs import cache
from machine.first_boot import state
from machine.first_boot.state import STEPS, Decision, Step
from machine.first_boot.steps import SETTLES, Standing, left, next_open, standings, suits_first_start
from machine.first_boot.words import title_of, why
from machine.models import KeptOn

_DECISIONS: dict[str, Decision | None] = {"later": "later", "settle": "settled", "again": None}


@page("system:read")
def welcome(request: HttpRequest) -> HttpResponseBase:
    """Where the wizard goes on: one page for all that a shared folder needs; for those who go by steps, the
    first one that somebody has still to decide on, or the summary."""
    if request.user.has_perm("system:write"):
        state.begin()
    found = _standings()
    by_steps = welcome_return.by_steps(request) or bool(state.load().decisions)
    if suits_first_start(found) and not by_steps:
        return redirect("first-start")
    return _to(next_open(found))


@page("system:read")
def step(request: HttpRequest, name: str) -> HttpResponseBase:
    """One step; a POST puts it off, says that it is right as it is, or takes either back."""
    known = next((one for one in STEPS if one == name), None)
    if known is None:
        raise Http404
    if request.method == "POST":
        return _decided(request, known)
    found = _standings()
    standing = next(one for one in found if one.step == known)
    inventory = cache.current()
    now = doing(known, inventory, _channels()) if inventory else None
    mark = sha256(msgspec.json.encode((found, now))).hexdigest()[:16]
    if answer := unchanged(request, mark):
        return answer
    if known == "name" and inventory and is_htmx(request):
        # What asks is a page without its forms, opened before the first look.
        return HttpResponseClientRefresh()
    welcome_return.enter(request, known)
    context = {
        "mark": mark,
        "step": known,
        "title": title_of(known),
        "why": why(known),
        "standing": standing,
        "state": state_view(standing.state),
        "now": now,
        "lines": lines(found, known),
        "after": next_open(found, known) if standing.left else next_open(found),
        "settles": known in SETTLES,
        "left": left(found),
        "one_page": suits_first_start(found),
        "why_shut": why_shut(request.user, "system:write"),
    }
    if known == "name" and inventory:
        context |= form_context(request)
    return render(request, part(request, "welcome/welcome.html"), context)


@page("system:read")
def summary(request: HttpRequest) -> HttpResponseBase:
    """What to print; a POST ends the wizard."""
    if request.method == "POST":
        _may(request)
        state.finish()
        return redirect("overview")
    welcome_return.leave(request)
    inventory, found = cache.current(), _standings()
    context = {
        "lines": lines(found, "summary"),
        "left": left(found),
        "one_page": suits_first_start(found),
        "open": [(title_of(one.step), f"/welcome/{one.step}/") for one in found if one.state in _UNDONE],
        "sheet": summary_view(inventory) if inventory else None,
        "kept": KeptOn.objects.filter(checked_at__isnull=False),
        "finished": state.load().finished,
        "why_shut": why_shut(request.user, "system:write"),
    }
    return render(request, "welcome/welcome_summary.html", context)


@page("system:read")
@require_POST
def dismiss(request: HttpRequest) -> HttpResponseBase:
    """The overview speaks of it no longer; the settings lead to it."""
    _may(request)
    state.dismiss()
    return redirect("overview")


_UNDONE = {"open", "waits", "later"}


def _decided(request: HttpRequest, step: Step) -> HttpResponseBase:
    _may(request)
    do = request.POST.get("do", "")
    if do not in _DECISIONS or (do == "settle" and step not in SETTLES):
        raise SuspiciousOperation("Unknown action.")
    state.decide(step, _DECISIONS[do])
    return redirect("welcome-step", step) if do == "again" else _to(next_open(_standings(), step))


def _may(request: HttpRequest) -> None:
    if shut := why_shut(request.user, "system:write"):
        raise PermissionDenied(shut)


def _to(step: Step | None) -> HttpResponseBase:
    return redirect("welcome-step", step) if step else redirect("welcome-summary")


def _channels() -> tuple[str, ...]:
    return tuple(Channel.objects.filter(enabled=True).values_list("name", flat=True))


def _standings() -> tuple[Standing, ...]:
    return standings(cache.current(), state.load(), notified=bool(_channels()))

"""Set up this NAS: one page with a default for everything, then one plan and one job."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from alerts.models import Channel
from frontend.access import is_htmx, page, why_shut
from frontend.findings import Errors, beside
from frontend.first_start import form as start_form
from frontend.first_start.form import FIELDS, StartForm
from frontend.first_start.view import disk_rows, in_order, later_rows, may_fail, named, sentence, where
from frontend.people import form as people_form
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.pools.layout_choices import choices
from frontend.welcome import going_back
from host.inventory import Inventory
from jobs import cache
from jobs.plan import Finding
from machine.first_boot import state
from machine.first_boot.steps import left, standings
from machine.naming.set_time_zone import zones

OPERATION = "machine.first-start"
_UNSET = {None, "UTC", "Etc/UTC"}


@sensitive_post_parameters()
@page("system:read")
@sensitive_variables()
def start(request: HttpRequest) -> HttpResponseBase:
    """The form with its defaults or as it was left, or the plan for it. A GET by htmx with the disks that are
    ticked answers with their layouts."""
    inventory = cache.current()
    going_back.leave(request)
    if request.user.has_perm("system:write"):
        state.begin()
    if inventory is None:
        return render(request, "first_start/start.html", {})
    order = [disk.id for disk in in_order(inventory)]
    begun = start_form.defaults(inventory, request.user.get_username(), order)
    if request.method != "POST":
        if is_htmx(request):
            ticked = _with_layout(start_form.of_post(request.GET, order), inventory)
            return render(request, "first_start/_layouts.html", _layouts(ticked, inventory))
        return _show(request, inventory, begun)
    if "request" in request.POST:
        sent = sent_request(request)
        return _show(request, inventory, start_form.of_request(sent, begun), typed="person" in sent)
    form = start_form.of_post(request.POST, order)
    if "recompute" in request.POST:
        return _show(request, inventory, form)
    data, secret = start_form.to_request(form, inventory), people_form.Asked({}, ())
    if "person" in data:
        secret = people_form.password(request.POST, needed=True)
        data["person"] |= secret.fields
    own = (*start_form.faults(form, inventory), *(_of_person(one) for one in secret.faults))

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        said = start_form.instead(own, findings)
        return _show(request, inventory, form, said, typed=bool(request.POST.get("password")))

    return propose(request, OPERATION, data, refused=refused, faults=own)


def _of_person(finding: Finding) -> Finding:
    return msgspec.structs.replace(finding, field=f"person.{finding.field}")


def _show(
    request: HttpRequest,
    inventory: Inventory,
    form: StartForm,
    findings: tuple[Finding, ...] = (),
    *,
    typed: bool = False,
) -> HttpResponseBase:
    notified = Channel.objects.filter(enabled=True).exists()
    found = standings(inventory, state.load(), notified=notified)
    form = _with_layout(form, inventory)
    zone = inventory.naming.time_zone
    context = {
        "known": True,
        "form": form,
        "typed": typed,
        "errors": beside(findings, FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "system:write", "pools:write", "shares:write"),
        "zones": zones() if form.time_zone in zones() else (form.time_zone, *zones()),
        "zone_unset": zone in _UNSET and request.method != "POST",
        "rows": disk_rows(in_order(inventory)),
        "ticked": form.pool.of("data"),
        "pools": inventory.pools,
        "shared": start_form.is_shared(inventory),
        "new_person": start_form.is_new(form, inventory),
        "people": inventory.accounts.people,
        "place": start_form.place_of(form, inventory) or form.pool.name,
        "later": later_rows(found),
        "left": left(found),
    }
    status = 422 if findings else 200
    return render(request, "first_start/start.html", context | _layouts(form, inventory), status=status)


def _with_layout(form: StartForm, inventory: Inventory) -> StartForm:
    """What was recommended and left as it was follows the disks; what was chosen stays."""
    pool, found = form.pool, choices(form.pool.of("data"), inventory, use="mixed", ashift=None)
    if pool.layout in found.keys and pool.layout != pool.advised:
        return form
    return msgspec.structs.replace(form, pool=msgspec.structs.replace(pool, layout=found.recommended))


def _layouts(form: StartForm, inventory: Inventory) -> dict[str, Any]:
    picked = form.pool.of("data")
    disks = [disk for disk in in_order(inventory) if disk.id in picked]
    found = choices(picked, inventory, use="mixed", ashift=None)
    every = (*found.shown, *found.more)
    chosen = next((one for one in every if one.key == form.pool.layout), None)
    return {
        "choices": found,
        "layouts": [(one, named(one), may_fail(one)) for one in found.shown],
        "layout": form.pool.layout,
        "chosen": chosen,
        "said": sentence(chosen, disks) if chosen else "",
        "bays": [where(disk) for disk in disks],
        "erased": [(where(disk), disk.model, disk.used_by) for disk in disks if not disk.free],
    }

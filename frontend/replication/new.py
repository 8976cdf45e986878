"""The form for a new replication."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.replication import form as replication_form
from frontend.replication.form import ReplicationForm
from host.inventory import Inventory
from host.replication.values import Target
from jobs import cache
from jobs.plan import Finding
from jobs.schedules.cron import zones
from jobs.schedules.zone import usual_zone

_KINDS = {"pool": "a pool of this machine", "nasweb": "another Nasweb", "ssh": "by SSH"}


@page("pools:read")
def create(request: HttpRequest) -> HttpResponseBase:
    """The empty form (`?source=` a dataset, `?target=`), the form as it was left, or the plan for it."""
    inventory = cache.current()
    zone = usual_zone(inventory)
    if request.method != "POST":
        return _show(request, inventory, _empty(request, inventory, zone))
    if "request" in request.POST:
        return _show(request, inventory, replication_form.of_request(sent_request(request), zone))
    form = replication_form.of_post(request.POST)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, form, findings)

    data, faults = replication_form.to_request(form), replication_form.faults(form)
    return propose(request, "replication.create", data, refused=refused, faults=faults)


def _empty(request: HttpRequest, inventory: Inventory | None, zone: str) -> ReplicationForm:
    targets = inventory.replicating.targets if inventory else ()
    asked = request.GET.get("target", "")
    only = targets[0].name if len(targets) == 1 else ""
    return ReplicationForm(source=request.GET.get("source", "")[:1024], target=asked or only, time_zone=zone)


def _show(
    request: HttpRequest,
    inventory: Inventory | None,
    form: ReplicationForm,
    findings: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    targets = inventory.replicating.targets if inventory else ()
    context: dict[str, Any] = replication_form.context(form, inventory) | {
        "targets": [(one.name, _described(one)) for one in targets],
        "remote": any(one.kind != "pool" for one in targets),
        "zones": sorted(zones()),
        "new": True,
        "errors": beside(findings, replication_form.FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "replication/replication_form.html", context, status=422 if findings else 200)


def _described(target: Target) -> str:
    kind = "a disk that is plugged in now and then" if target.rotating else _KINDS[target.kind]
    where = f"{target.dataset} on {target.host}" if target.host else target.dataset
    return f"{target.name} – {kind}, {where}"

"""The replace assistant: which disk, by which, how far it is, and which may leave the case."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, part, unchanged, why_shut
from frontend.findings import beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.pools.members import pool_of
from frontend.pools.replace_view import end_of, finished, likely, preselected, replaceable, running
from host.inventory import Inventory, Pool
from jobs.plan import Finding
from pools.members.candidates import to_replace
from pools.members.places import MemberPosition, find
from pools.members.replace import source_fault

_FIELDS = {"disk": "disk", "confirm": "confirm", "vdev": "vdev"}


@page("pools:read")
def replace(request: HttpRequest, name: str) -> HttpResponseBase:
    """`?vdev=` names the disk that leaves; without it the failed one is chosen."""
    if (known := pool_of(name)) is None:
        return missing(request, f"There is no pool {name}")
    inventory, pool = known
    if request.method != "POST":
        if answer := unchanged(request, inventory.as_of):
            return answer
        return _show(request, inventory, pool, request.GET.get("vdev", ""))
    sent = {field: request.POST.get(field, "").strip() for field in _FIELDS}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, pool, sent["vdev"], sent=sent, findings=findings)

    data: dict[str, Any] = {"name": pool.name} | {field: value for field, value in sent.items() if value}
    return propose(request, "pool.replace", data, refused=refused)


def _show(
    request: HttpRequest,
    inventory: Inventory,
    pool: Pool,
    guid: str,
    *,
    sent: dict[str, str] | None = None,
    findings: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    place = _source(pool, inventory, guid)
    candidates = to_replace(pool, place, inventory) if place else ()
    context = {
        "mark": inventory.as_of,
        "pool": pool,
        "asked": guid,
        "source": end_of(place.vdev, inventory) if place else None,
        "top": place.top if place else None,
        "members": [end_of(one.vdev, inventory) for one in replaceable(pool)],
        "possible": [one for one in candidates if not one.why],
        "others": [one for one in candidates if one.why],
        "running": running(pool, inventory),
        "finished": finished(pool, inventory),
        "sent": sent or {},
        "chosen": (sent or {}).get("disk") or likely(place, candidates, inventory),
        "errors": beside(findings, _FIELDS) if findings else "",
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, part(request, "pools/replace.html"), context, status=422 if findings else 200)


def _source(pool: Pool, inventory: Inventory, guid: str) -> MemberPosition | None:
    if not guid:
        return preselected(pool, inventory)
    place = find(pool, guid)
    return place if place and source_fault(pool, place) is None else None

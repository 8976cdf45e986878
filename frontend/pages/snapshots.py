"""Snapshots of one dataset: a page at a time, taking one, destroying some."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.findings_view import Errors, beside
from frontend.missing import missing
from frontend.pages.plans import propose
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.plan import Finding
from pools.snapshots import index

_PER_PAGE = 100


@page("pools:read")
def snapshots(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The list; a POST asks for the plan of a new snapshot, or of destroying those that are ticked."""
    if (known := _found(dataset)) is None:
        return missing(request, f"There is no dataset {dataset}")
    inventory, found = known
    if request.method != "POST":
        return _show(request, inventory, found)
    recursive = request.POST.get("recursive") == "yes"
    if request.POST.get("do") == "destroy":
        names = request.POST.getlist("names")
        if not names:
            message = "Tick the snapshots to destroy."
            nothing = Finding(level="error", code="required", field="names", message=message)
            return _show(request, inventory, found, (nothing,))
        return propose(
            request, "snapshot.destroy", {"dataset": dataset, "names": names, "recursive": recursive}
        )

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, findings)

    data = {"datasets": [dataset], "name": request.POST.get("name", "").strip(), "recursive": recursive}
    return propose(request, "snapshot.create", data, refused=refused)


def _show(
    request: HttpRequest, inventory: Inventory, found: Dataset, findings: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    after = request.GET.get("after")
    rows, following = index.page(found.name, after=after, limit=_PER_PAGE)
    context: dict[str, Any] = {
        "dataset": found,
        "rows": [(row, datetime.fromtimestamp(row.created, UTC)) for row in rows],
        "after": after,
        "next": following,
        "children": len(inventory.below(found.name)),
        "name": request.POST.get("name", f"{datetime.now(UTC):manual-%Y-%m-%d-%H%M}"),
        "recursive": request.POST.get("recursive") == "yes",
        "ticked": set(request.POST.getlist("names")),
        "errors": beside(findings, {"name": "name", "names": "names"}) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, "snapshots.html", context, status=422 if findings else 200)


def _found(name: str) -> tuple[Inventory, Dataset] | None:
    inventory = cache.current()
    found = inventory.dataset(name) if inventory else None
    return (inventory, found) if inventory and found else None

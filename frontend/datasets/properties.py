"""The properties of a dataset with their sources, a form for each, and two datasets side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.datasets.page import found_dataset
from frontend.datasets.property_view import differences, property_editor, property_rows
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.plan import Finding

_SHOWS = {"all": "All", "own": "Set here", "user": "User properties"}


@page("pools:read")
def properties(request: HttpRequest, name: str) -> HttpResponseBase:
    """All properties; `?edit=` opens the form of one. A POST asks for the plan of a change."""
    if (known := found_dataset(name)) is None:
        return missing(request, f"There is no dataset {name}")
    inventory, dataset = known
    if request.method != "POST":
        return _show(request, inventory, dataset)
    prop = request.POST.get("property", "").strip()
    how = request.POST.get("how", "set")
    data: dict[str, Any] = {"name": dataset.name}
    if how == "received":
        data["received"] = [prop]
    else:
        data["properties"] = {prop: None if how == "inherit" else request.POST.get("value", "").strip()}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, dataset, findings=findings)

    return propose(request, "dataset.set", data, refused=refused)


@page("pools:read")
def compare(request: HttpRequest) -> HttpResponseBase:
    """Two datasets side by side: what differs, or with `?show=all` everything."""
    inventory = cache.current()
    names = tuple(dataset.name for dataset in inventory.datasets) if inventory else ()
    left, right = (request.GET.get(side, "").strip() for side in ("left", "right"))
    one = inventory.dataset(left) if inventory else None
    other = inventory.dataset(right) if inventory else None
    everything = request.GET.get("show") == "all"
    unknown = [name for name, found in ((left, one), (right, other)) if name and found is None]
    rows = differences(one, other, inventory, everything=everything) if inventory and one and other else None
    context = {
        "names": names,
        "left": left,
        "right": right,
        "unknown": unknown,
        "everything": everything,
        "both": one is not None and other is not None,
        "rows": rows,
    }
    return render(request, "datasets/dataset_compare.html", context, status=404 if unknown else 200)


def _show(
    request: HttpRequest, inventory: Inventory, dataset: Dataset, *, findings: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    chosen = request.POST.get("property", "").strip() or request.GET.get("edit", "")
    show = request.GET.get("show", "all")
    rows = property_rows(dataset, inventory)
    if show == "own":
        rows = tuple(row for row in rows if row.own)
    elif show == "user":
        rows = tuple(row for row in rows if ":" in row.name)
    fields = {"properties": "value", "received": "value"}
    context = {
        "dataset": dataset,
        "rows": rows,
        "editor": property_editor(dataset, chosen, inventory) if chosen else None,
        "chosen": chosen,
        "sent": request.POST.get("value"),
        "how": request.POST.get("how", "set"),
        "show": show if show in _SHOWS else "all",
        "shows": _SHOWS.items(),
        "errors": beside(findings, fields) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "datasets/dataset_properties.html", context, status=422 if findings else 200)

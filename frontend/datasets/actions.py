"""What is done with one dataset or with many: rename, mount, unmount, promote, and one change for all."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend.access import page, why_shut
from frontend.datasets.page import found_dataset
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.plan import Finding

_DO = {
    "mount": ("dataset.mount", {}),
    "mount-below": ("dataset.mount", {"recursive": True}),
    "unmount": ("dataset.unmount", {}),
    "promote": ("dataset.promote", {}),
}
_MOST_LISTED = 200


@page("pools:read")
@require_POST
def act(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan of what the button `do` stands for."""
    if found_dataset(name) is None:
        return missing(request, f"There is no dataset {name}")
    try:
        operation, more = _DO[request.POST.get("do", "")]
    except KeyError:
        raise SuspiciousOperation("Unknown action.") from None
    return propose(request, operation, {"name": name, **more})


@page("pools:read")
def rename(request: HttpRequest, name: str) -> HttpResponseBase:
    """The form for another name or parent; a POST asks for the plan."""
    if (known := found_dataset(name)) is None:
        return missing(request, f"There is no dataset {name}")
    inventory, dataset = known
    if request.method != "POST":
        return _show_rename(request, inventory, dataset)
    to = f"{request.POST.get('parent', '')}/{request.POST.get('leaf', '').strip()}"
    data = {"name": name, "to": to, "keep_mounts": request.POST.get("keep_mounts") == "yes"}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show_rename(request, inventory, dataset, findings)

    return propose(request, "dataset.rename", data, refused=refused)


@page("pools:read")
def edit_many(request: HttpRequest) -> HttpResponseBase:
    """One change for many datasets; `?q=` narrows those to choose from.

    A POST asks for the plan; that of a list, with `do` choose, only says which are selected.
    """
    inventory = cache.current()
    if request.method != "POST" or inventory is None or request.POST.get("do") == "choose":
        return _show_many(request, inventory)
    names = [name for name in request.POST.getlist("name") if isinstance(name, str)]
    prop, value = request.POST.get("property", "").strip(), request.POST.get("value", "").strip()
    inherit = request.POST.get("how") == "inherit"
    properties = {prop: None if inherit else value} if prop else {}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show_many(request, inventory, findings)

    data = {"names": names, "properties": properties}
    return propose(request, "dataset.bulk-set", data, refused=refused)


def _show_rename(
    request: HttpRequest, inventory: Inventory, dataset: Dataset, findings: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    parents = [
        one.name
        for one in inventory.datasets
        if one.kind == "filesystem"
        and one.pool == dataset.pool
        and not f"{one.name}/".startswith(f"{dataset.name}/")
    ]
    context = {
        "dataset": dataset,
        "parents": parents,
        "parent": request.POST.get("parent", dataset.parent or ""),
        "leaf": request.POST.get("leaf", dataset.name.rpartition("/")[2]),
        "keep_mounts": request.POST.get("keep_mounts") == "yes",
        "errors": beside(findings, {"to": "leaf"}) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "datasets/dataset_rename.html", context, status=422 if findings else 200)


def _show_many(
    request: HttpRequest, inventory: Inventory | None, findings: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    text = request.GET.get("q", "").strip()
    words = text.lower().split()
    chosen = set(request.POST.getlist("name"))
    all_of_them = inventory.datasets if inventory else ()
    found = [d for d in all_of_them if d.name in chosen or all(word in d.name.lower() for word in words)]
    found.sort(key=lambda dataset: dataset.name not in chosen)
    fields: dict[str, Any] = {"names": "names", "properties": "value"}
    context = {
        "rows": [(d, d.name in chosen) for d in found[:_MOST_LISTED]],
        "more": max(0, len(found) - _MOST_LISTED),
        "text": text,
        "properties": [entry.name for entry in inventory.facts.native if entry.editable] if inventory else [],
        "property": request.POST.get("property", ""),
        "value": request.POST.get("value", ""),
        "how": request.POST.get("how", "set"),
        "errors": beside(findings, fields) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "datasets/dataset_many.html", context, status=422 if findings else 200)

"""Datasets: the tree, one dataset with its settings, and its end."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, part, unchanged, why_shut
from frontend.dataset_view import changes, dataset_rows, settings, whence
from frontend.findings_view import Errors, beside
from frontend.missing import missing
from frontend.pages.plans import propose, refusal
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.plan import Finding


@page("pools:read")
def datasets(request: HttpRequest) -> HttpResponseBase:
    """All datasets as a tree."""
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "known": inventory is not None,
        "rows": dataset_rows(inventory) if inventory else (),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, part(request, "datasets.html"), context)


@page("pools:read")
def dataset(request: HttpRequest, name: str) -> HttpResponseBase:
    """One dataset; a POST asks for the plan of changed settings."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no dataset {name}")
    inventory, found = known
    if request.method != "POST":
        return _show(request, inventory, found)
    sent = {key: value for key, value in request.POST.items() if isinstance(value, str)}
    wanted = changes(settings(found), sent)
    if not wanted:
        return _show(request, inventory, found, sent=sent, unchanged_form=True)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, sent=sent, findings=findings)

    return propose(request, "dataset.set", {"name": name, "properties": wanted}, refused=refused)


@page("pools:read")
def destroy(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan to destroy a dataset; `?recursive=yes` takes what is below it and its snapshots too."""
    if _found(name) is None:
        return missing(request, f"There is no dataset {name}")
    recursive = request.GET.get("recursive") == "yes"
    data = {"name": name, "recursive": recursive}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        more = any(finding.field == "recursive" for finding in findings)
        return refusal(request, "dataset.destroy", data, findings, more_href="?recursive=yes" if more else "")

    return propose(request, "dataset.destroy", data, refused=refused)


def _show(
    request: HttpRequest,
    inventory: Inventory,
    found: Dataset,
    *,
    sent: dict[str, str] | None = None,
    findings: tuple[Finding, ...] = (),
    unchanged_form: bool = False,
) -> HttpResponseBase:
    shown = settings(found)
    names = {f"properties.{setting.name}": setting.name for setting in shown}
    created = found.value("creation") or ""
    context = {
        "dataset": found,
        "settings": [(setting, (sent or {}).get(setting.name, setting.chosen)) for setting in shown],
        "errors": beside(findings, names) if findings else Errors(),
        "unchanged_form": unchanged_form,
        "used": found.number("used"),
        "available": found.number("available"),
        "referenced": found.number("referenced"),
        "by_snapshots": found.number("usedbysnapshots"),
        "by_children": found.number("usedbychildren"),
        "ratio": found.value("compressratio"),
        "compression": found.value("compression"),
        "mountpoint": found.value("mountpoint"),
        "created": datetime.fromtimestamp(int(created), UTC) if created.isdigit() else None,
        "children": [child for child in inventory.below(found.name) if child.parent == found.name],
        "properties": [(key, value, whence(value)) for key, value in sorted(found.properties.items())],
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, "dataset.html", context, status=422 if findings else 200)


def _found(name: str) -> tuple[Inventory, Dataset] | None:
    inventory = cache.current()
    found = inventory.dataset(name) if inventory else None
    return (inventory, found) if inventory and found else None

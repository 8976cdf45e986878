"""One snapshot: what is known of it, and everything that can be done with it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, why_shut
from frontend.asking import AnswerView, ask
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose, refusal
from host.inventory import Inventory, Snapshot
from jobs import cache
from jobs.index import reading
from jobs.plan import Finding

_NEWER = 200  # that the list of what to compare with offers


@page("pools:read")
def snapshot(request: HttpRequest, name: str) -> HttpResponseBase:
    """Its page; a POST asks for the plan of what its button says."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no snapshot {name}")
    inventory, found = known
    if request.method != "POST":
        return _show(request, inventory, found)
    do = request.POST.get("do", "")

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, do, findings)

    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "hold": ("snapshot.hold", {"snapshots": [name], "tag": _sent(request, "tag")}),
        "release": ("snapshot.release", {"snapshots": [name], "tag": request.POST.get("tag", "")}),
        "clone": ("snapshot.clone", {"snapshot": name, "name": _sent(request, "name")}),
        "rename": ("snapshot.rename", {"snapshot": name, "name": _sent(request, "name")}),
    }
    if do not in asked:
        return _show(request, inventory, found)
    operation, data = asked[do]
    return propose(request, operation, data, refused=refused)


@page("pools:read")
def roll_back(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan to roll back; what was cloned from younger snapshots goes too if that is agreed to."""
    if _found(name) is None:
        return missing(request, f"There is no snapshot {name}")
    data: dict[str, Any] = {"snapshot": name}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        errors = [finding for finding in findings if finding.level == "error"]
        only_clones = bool(errors) and all(finding.code == "has-clones" for finding in errors)
        wider = ("Destroy the clones too", data | {"destroy_clones": True}) if only_clones else None
        return refusal(request, "snapshot.rollback", data, findings, wider=wider)

    return propose(request, "snapshot.rollback", data, refused=refused)


@page("pools:read")
def destroy(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan to destroy it."""
    if _found(name) is None:
        return missing(request, f"There is no snapshot {name}")
    return propose(request, "snapshot.destroy", {"snapshots": [name]})


@page("files:read")
def changes(request: HttpRequest, name: str) -> HttpResponseBase:
    """What changed from it to a later one (`?to=`), or to now."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no snapshot {name}")
    inventory, found = known
    to = request.GET.get("to", "")
    later = reading.find(inventory, f"{found.dataset}@{to}") if to else None
    if to and later is None:
        return missing(request, f"There is no snapshot {found.dataset}@{to}")
    data = {"older": name} | ({"newer": later.name} if later else {})
    report = ask(request, "snapshot.diff", data)
    context = {
        "snapshot": found,
        "taken": _moment(found),
        "to": to,
        "report": report,
        "here": request.get_full_path(),
        "newer": _newer(inventory, found),
    }
    return render(request, "snapshots/snapshot_changes.html", context, status=422 if report.findings else 200)


def _show(
    request: HttpRequest,
    inventory: Inventory,
    found: Snapshot,
    do: str = "",
    findings: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    wants_details = request.GET.get("details") == "yes" or bool(found.holds)
    report = ask(request, "snapshot.details", {"snapshots": [found.name]}) if wants_details else AnswerView()
    details = next(iter(report.answer.results), None) if report.answer else None
    fields = {"tag": "tag"} if do in {"hold", "release"} else {"name": f"{do}-name"}
    context: dict[str, Any] = {
        "snapshot": found,
        "taken": _moment(found),
        "dataset": inventory.dataset(found.dataset),
        "report": report,
        "wants_details": wants_details,
        "details": details,
        "holds": [(one.tag, datetime.fromtimestamp(one.since, UTC)) for one in details.holds]
        if details
        else [],
        "here": request.path + ("?details=yes" if wants_details else ""),
        "newer": _newer(inventory, found),
        "sent": {f"{do}-{key}": str(value) for key, value in request.POST.items()},
        "clone_name": f"{found.dataset}{'-' if '/' in found.dataset else '/'}{found.tag}",
        "errors": beside(findings, fields) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, "snapshots/snapshot.html", context, status=422 if findings else 200)


def _newer(inventory: Inventory, found: Snapshot) -> list[Snapshot]:
    return reading.page(inventory, found.dataset, after=found.createtxg, limit=_NEWER, newest_first=False)[0]


def _sent(request: HttpRequest, field: str) -> str:
    return request.POST.get(field, "").strip()


def _moment(snapshot: Snapshot) -> datetime:
    return datetime.fromtimestamp(snapshot.created, UTC)


def _found(name: str) -> tuple[Inventory, Snapshot] | None:
    inventory = cache.current()
    found = reading.find(inventory, name) if inventory else None
    return (inventory, found) if inventory and found else None

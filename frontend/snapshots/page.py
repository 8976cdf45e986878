"""Snapshots of one dataset: a page at a time, taking one, what some would free, destroying them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import is_htmx, page, why_shut
from frontend.asking import AnswerView, ask
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.snapshots.view import AGES, COLUMNS, KINDS, NEWEST, choice, chosen, name_by_clock, rows
from frontend.sorting import chosen as chosen_sort
from frontend.sorting import heads
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.index import reading
from jobs.plan import Finding

_PER_PAGE = 100
_TIMEOUT_S = 1.0


@page("pools:read")
def snapshots(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The list; a POST asks for the plan of a new snapshot or of destroying, or what that would free."""
    if (known := _found(dataset)) is None:
        return missing(request, f"There is no dataset {dataset}")
    inventory, found = known
    if request.method != "POST":
        return _show(request, inventory, found)
    do = request.POST.get("do")
    if do in {"destroy", "reclaim"}:
        return _selected(request, inventory, found, reclaim=do == "reclaim")

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, findings)

    data = {
        "datasets": [dataset],
        "name": request.POST.get("name", "").strip(),
        "recursive": request.POST.get("recursive") == "yes",
    }
    return propose(request, "snapshot.create", data, refused=refused)


def _selected(
    request: HttpRequest, inventory: Inventory, found: Dataset, *, reclaim: bool
) -> HttpResponseBase:
    entries = _entries(request, found.name)
    if not entries:
        message = "Select snapshots, or name the first and the last of a range."
        nothing = (Finding(level="error", code="required", field="snapshots", message=message),)
        if reclaim and is_htmx(request):
            return render(request, "snapshots/_freed.html", {"report": AnswerView(findings=nothing)})
        return _show(request, inventory, found, nothing)
    data: dict[str, Any] = {"snapshots": entries, "recursive": request.POST.get("below") == "yes"}
    if not reclaim:
        data["skip_kept"] = request.POST.get("skip_kept") == "yes"
        return propose(request, "snapshot.destroy", data)
    report = ask(request, "snapshot.reclaim", data, timeout_s=_TIMEOUT_S)
    context = {"report": report, "dataset": found}
    if is_htmx(request):
        return render(request, "snapshots/_freed.html", context)
    return _show(request, inventory, found, report=report)


def _entries(request: HttpRequest, dataset: str) -> list[str]:
    """What is ticked, and the range between two names if one is given."""
    entries = [f"{dataset}@{tag}" for tag in request.POST.getlist("names")]
    first, last = (request.POST.get(end, "").strip() for end in ("first", "last"))
    return [*entries, f"{dataset}@{first}%{last}"] if first or last else entries


def _show(
    request: HttpRequest,
    inventory: Inventory,
    found: Dataset,
    findings: tuple[Finding, ...] = (),
    report: AnswerView | None = None,
) -> HttpResponseBase:
    now = datetime.now(UTC)
    asked_for = choice({key: str(value) for key, value in request.GET.items()})
    after = request.GET.get("after", "")
    sort = chosen_sort(request.GET.get("sort", ""), COLUMNS, otherwise=NEWEST)
    here, following = reading.page(
        inventory,
        found.name,
        after=int(after) if after.isascii() and after.isdecimal() and len(after) < 18 else None,
        limit=_PER_PAGE,
        newest_first=sort.startswith("-"),
        order=COLUMNS[sort.removeprefix("-")].by,
        chosen=chosen(asked_for, now),
    )
    names = [snapshot.name for snapshot in here]
    wants_sizes = request.GET.get("sizes") == "yes" and bool(names)
    sizes = ask(request, "snapshot.details", {"snapshots": names}) if wants_sizes else AnswerView()
    details = {one.name: one for one in sizes.answer.results} if sizes.answer else {}
    tally = reading.tallies([found.guid]).get(found.guid)
    context: dict[str, Any] = {
        "dataset": found,
        "rows": rows(here, details),
        "total": tally.count if tally else 0,
        "indexing": tally is None,
        "heads": heads(COLUMNS, sort, lambda by: _address(request, sort=by, after=None)),
        "sort": sort if sort != NEWEST else "",
        "choice": asked_for,
        "kinds": KINDS,
        "ages": AGES,
        "sizes": sizes,
        "wants_sizes": wants_sizes,
        "here": _address(request),
        "sizes_href": _address(request, sizes="yes"),
        "next_href": _address(request, after=following) if following else "",
        "first_href": _address(request, after=None) if after else "",
        "children": len(inventory.below(found.name)),
        "name": request.POST.get("name", name_by_clock(now)),
        "recursive": request.POST.get("recursive") == "yes",
        "ticked": set(request.POST.getlist("names")),
        "first": request.POST.get("first", ""),
        "last": request.POST.get("last", ""),
        "report": report,
        "errors": beside(findings, {"name": "name", "snapshots": "names"}) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, "snapshots/snapshots.html", context, status=422 if findings else 200)


def _address(request: HttpRequest, **changes: Any) -> str:
    """This page with other parameters; None leaves one out."""
    keep = {key: str(value) for key, value in request.GET.items()}
    sent = {key: str(value) for key, value in (keep | changes).items() if value not in {None, ""}}
    return f"{request.path}?{urlencode(sent)}" if sent else request.path


def _found(name: str) -> tuple[Inventory, Dataset] | None:
    inventory = cache.current()
    found = inventory.dataset(name) if inventory else None
    return (inventory, found) if inventory and found else None

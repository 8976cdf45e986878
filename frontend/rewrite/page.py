"""Write a dataset anew: what it would take, how far that has come, and what comes next."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.replication.view import progress_view
from frontend.rewrite import view
from jobs import cache
from replication.models import RewriteRow
from replication.replications.live import tree_of
from replication.rewrites.progress import QUESTION
from replication.rewrites.room import needed_bytes


@page("pools:read")
def rewrite(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """How it stands; a POST begins one."""
    inventory = cache.current()
    found = inventory.dataset(dataset) if inventory else None
    begun = RewriteRow.objects.filter(dataset=dataset).exists()
    if inventory is None or (found is None and not begun):
        return missing(request, f"There is no dataset {dataset}")
    if request.method == "POST":
        dedup = "off" if request.POST.get("dedup") == "off" else "keep"
        return propose(request, "dataset.rewrite", {"dataset": dataset, "dedup": dedup})
    report = asking.ask(request, QUESTION, {"dataset": dataset}) if begun else None
    answer = None if report is None else report.answer
    standing = None if answer is None else view.standing(answer)
    parent = None if found is None or found.parent is None else inventory.dataset(found.parent)
    context = {
        "name": dataset,
        "dataset": found,
        "parent": parent,
        "settings": () if found is None else view.settings(found, inventory),
        "deduplicated": found is not None and found.value("dedup") not in {None, "off"},
        "report": report,
        "answer": answer,
        "standing": standing,
        "progress": progress_view(answer.run)
        if answer and answer.run and standing and standing.step == 1
        else None,
        "begun": begun,
        "needed_bytes": 0 if found is None else needed_bytes(tree_of(dataset, inventory)),
        "free_bytes": 0 if parent is None else parent.number("available"),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    part = "#figures" if is_htmx(request) and request.GET.get("part") == "figures" else ""
    return render(request, f"rewrite/rewrite.html{part}", context)


@page("pools:read")
@require_POST
def act(request: HttpRequest, what: str, dataset: str) -> HttpResponseBase:
    """Propose what comes next."""
    operation = view.OPERATIONS.get(what)
    if operation is None:
        return missing(request, "There is no such button")
    data: dict[str, object] = {"dataset": dataset}
    return propose(request, operation, data | ({"back": True} if what == "back" else {}))

"""How large a pool's metadata is, and whether a special vdev would help."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.metadata import view
from frontend.missing import missing
from frontend.plans.page import propose
from jobs import cache
from pools.metadata.answers import metadata_answer
from pools.metadata.see import QUESTION


@page("pools:read")
def metadata(request: HttpRequest, pool: str) -> HttpResponseBase:
    """The last count, or the one that goes on; a POST begins one."""
    inventory = cache.current()
    found = inventory.pool(pool) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no pool {pool}")
    if request.method == "POST":
        return propose(request, "pool.count-blocks", {"name": pool})
    report = asking.ask(request, QUESTION, {"name": pool})
    answer = None if report.answer is None else metadata_answer(found, inventory, report.answer.counted)
    run = answer.run if answer else None
    done = run is not None and run.verdict == "done"
    context = {
        "pool": found,
        "report": report,
        "answer": answer,
        "run": view.run_view(run) if run else None,
        "kinds": view.kinds(run) if run and done else (),
        "metadata_percent": view.percent(answer.advice.metadata_share) if answer and answer.advice else "",
        "why_shut": why_shut(request.user, "pools:write"),
    }
    part = "#figures" if is_htmx(request) and request.GET.get("part") == "figures" else ""
    return render(request, f"metadata/metadata.html{part}", context)


@page("pools:read")
@require_POST
def stop(request: HttpRequest, pool: str) -> HttpResponseBase:
    """Ends what goes on in the background."""
    return propose(request, "pool.stop-counting-blocks", {"name": pool})

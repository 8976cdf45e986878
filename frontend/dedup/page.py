"""Whether deduplication would be worth it in a pool."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.dedup import view
from frontend.missing import missing
from frontend.plans.page import propose
from jobs import cache
from jobs.wording import grouped
from pools.dedup.answers import dedup_answer
from pools.dedup.see import QUESTION


@page("pools:read")
def dedup(request: HttpRequest, pool: str) -> HttpResponseBase:
    """The last estimate, or the one that goes on; a POST begins one."""
    inventory = cache.current()
    found = inventory.pool(pool) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no pool {pool}")
    if request.method == "POST":
        return propose(request, "pool.estimate-dedup", {"name": pool})
    report = asking.ask(request, QUESTION, {"name": pool})
    answer = None if report.answer is None else dedup_answer(found, inventory, report.answer)
    run, memory = (answer.run if answer else None), inventory.facts.memory_bytes
    context = {
        "pool": found,
        "report": report,
        "answer": answer,
        "run": view.run_view(run) if run else None,
        "saved_percent": f"{answer.advice.saved_share:.0%}" if answer and answer.advice else "",
        "blocks": view.blocks(run.rows) if run else (),
        "tables": view.tables(answer.tables, memory) if answer else (),
        "table": answer.table if answer else None,
        "table_entries": grouped(answer.table.entries) if answer and answer.table else "",
        "table_blocks": view.blocks(answer.table.rows) if answer and answer.table else (),
        "memory_bytes": memory,
        "deduplicated": view.deduplicated(found.name, inventory),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    part = "#figures" if is_htmx(request) and request.GET.get("part") == "figures" else ""
    return render(request, f"dedup/dedup.html{part}", context)


@page("pools:read")
@require_POST
def stop(request: HttpRequest, pool: str) -> HttpResponseBase:
    """Ends what goes on in the background."""
    return propose(request, "pool.stop-dedup-estimate", {"name": pool})

"""What each compression would make of a dataset's own files, and which one is recommended."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST
from msgspec.structs import astuple

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.compression.view import picture, rows, run_view, tables
from frontend.csv_file import csv_file
from frontend.measured import has_no_snapshot
from frontend.missing import missing
from frontend.plans.page import propose
from jobs import cache
from pools.compression.answers import CompressionAnswer, compression_answer
from pools.compression.recommend import Option
from pools.compression.see import QUESTION


@page("pools:read")
def compression(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The last measurement, or the one that goes on; a POST begins one."""
    inventory = cache.current()
    found = inventory.dataset(dataset) if inventory else None
    if inventory is None or found is None or found.kind == "volume":
        return missing(request, f"There is no file system {dataset}")
    if request.method == "POST":
        return propose(request, "dataset.measure-compression", {"name": dataset})
    report = asking.ask(request, QUESTION, {"name": dataset})
    answer = None if report.answer is None else compression_answer(found, inventory, report.answer.measured)
    if request.GET.get("format") == "csv" and answer is not None:
        return _csv(answer)
    recommended = answer.recommended.compression if answer and answer.recommended else None
    listed = rows(answer.options, current=answer.compression, recommended=recommended) if answer else ()
    context = {
        "dataset": found,
        "pool_name": found.pool,
        "no_snapshot": has_no_snapshot(found),
        "report": report,
        "answer": answer,
        "run": run_view(answer.run) if answer and answer.run else None,
        "tables": tables(listed) if listed else (),
        "picture": picture(answer.options, answer.disks_bytes_per_s) if answer else None,
        "why_shut": why_shut(request.user, "pools:write"),
    }
    part = "#figures" if is_htmx(request) and request.GET.get("part") == "figures" else ""
    return render(request, f"compression/compression.html{part}", context)


def _csv(answer: CompressionAnswer) -> HttpResponse:
    name = answer.dataset.replace("/", "-").replace(" ", "-")
    return csv_file(f"compression-{name}", Option.__struct_fields__, map(astuple, answer.options))


@page("pools:read")
@require_POST
def stop(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """Ends what goes on in the background."""
    return propose(request, "dataset.stop-measuring-compression", {"name": dataset})

"""What files a dataset holds, and which record size suits them; as a page and as a CSV file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.csv_file import csv_file
from frontend.measured import has_no_snapshot
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.scan import view
from host.files.names import plain
from host.scan.values import Scanned
from jobs import cache
from pools.scan.answers import scan_answer
from pools.scan.see import QUESTION


@page("files:read")
def scan(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The last scan, or the one that goes on; a POST begins one. With `?format=csv` its rows as a file."""
    inventory = cache.current()
    found = inventory.dataset(dataset) if inventory else None
    if inventory is None or found is None or found.kind == "volume":
        return missing(request, f"There is no file system {dataset}")
    if request.method == "POST":
        wanted = "duplicates" in request.POST
        return propose(request, "dataset.scan-files", {"name": dataset, "duplicates": wanted})
    report = asking.ask(request, QUESTION, {"name": dataset})
    answer = None if report.answer is None else scan_answer(found, inventory, report.answer)
    run = answer.run if answer else None
    if request.GET.get("format") == "csv" and run is not None:
        return _csv(run)
    advice = answer.recommended if answer else None
    context = {
        "dataset": found,
        "pool_name": found.pool,
        "no_snapshot": has_no_snapshot(found),
        "report": report,
        "answer": answer,
        "run": view.run_view(run) if run else None,
        "size_bytes": run.size_bytes if run else 0,
        "disk_bytes": run.disk_bytes if run else 0,
        "kinds": view.kinds(run) if run else (),
        "folders": view.folders(run) if run else (),
        "sizes": view.sizes(run) if run else (),
        "duplicates": view.duplicates(run) if run else None,
        "advice": advice,
        "advised": view.record_size(advice.record_bytes) if advice else "",
        "records": view.records(
            answer.records, current=answer.record_bytes, recommended=advice.record_bytes if advice else None
        )
        if answer
        else (),
        "requests": view.requests(answer.requests) if answer and run else (),
        "why_shut": why_shut(request.user, "pools:write"),
        "why_shut_files": why_shut(request.user, "files:write"),
    }
    part = "#figures" if is_htmx(request) and request.GET.get("part") == "figures" else ""
    return render(request, f"scan/scan.html{part}", context)


@page("files:read")
@require_POST
def stop(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """Ends what goes on in the background."""
    return propose(request, "dataset.stop-scan", {"name": dataset})


@page("files:read")
@require_POST
def share(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """Lets files with the same content share the blocks of the first one."""
    kept, *paths = request.POST.getlist("paths") or [""]
    return propose(request, "dataset.share-blocks", {"dataset": dataset, "kept": kept, "paths": paths})


def _csv(run: Scanned) -> HttpResponse:
    return csv_file(
        f"files-{run.dataset.replace('/', '-').replace(' ', '-')}",
        ("what", "name", "files", "bytes"),
        (
            *(("folder", plain(one.path), one.files, one.bytes) for one in run.largest_folders),
            *(("kind", one.kind, one.files, one.bytes) for one in run.kinds),
            *(
                ("same content", plain(path), one.files, one.size_bytes)
                for one in run.duplicates
                for path in one.paths
            ),
            *(("size up to", one.up_to_bytes, one.files, one.bytes) for one in run.sizes),
        ),
    )

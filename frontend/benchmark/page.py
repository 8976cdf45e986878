"""How fast a pool is: a form that begins a benchmark, and what came of all of them."""

from __future__ import annotations

from typing import Any, get_args

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.benchmark import view
from frontend.benchmark.compared import compared
from frontend.csv_file import csv_file
from frontend.findings import beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.typed_size import bytes_typed, whole_typed
from host.commands.datasets.measuring import RecordBytes
from host.commands.pools.benchmark import Compression
from jobs import cache
from jobs.plan import Finding
from pools.benchmark.answers import BenchmarkAnswer, benchmark_answer
from pools.benchmark.see import QUESTION

_FIELDS = {
    "profile": "profile", "record_bytes": "record", "compression": "compression", "clients": "clients",
    "size_bytes": "size", "disks": "disks",
}  # fmt: skip
_LEAST_RECORD = 4096  # what disks have
_RECORDS = tuple((str(size), size) for size in get_args(RecordBytes) if size >= _LEAST_RECORD)
_COMPRESSIONS = get_args(Compression)
_SHOWN = 20  # results; all are in the CSV file
_USUAL = {"profile": "sequential", "record": "131072", "compression": "lz4", "clients": "4", "size": ""}


@page("pools:read")
def benchmark(request: HttpRequest, pool: str) -> HttpResponseBase:
    """The form, the last benchmark or the one that goes on, and all results; a POST begins one."""
    if request.method != "POST":
        return _show(request, pool)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, pool, findings)

    sent = request.POST
    data: dict[str, Any] = {
        "name": pool, "profile": sent.get("profile", ""), "compression": sent.get("compression", ""),
        "record_bytes": whole_typed(sent.get("record", "")), "clients": whole_typed(sent.get("clients", "4")),
        "size_bytes": bytes_typed(sent.get("size", ""), "G"), "disks": sent.get("disks") == "yes",
    }  # fmt: skip
    return propose(request, "pool.benchmark", data, refused=refused)


def _show(request: HttpRequest, pool: str, findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
    inventory = cache.current()
    found = inventory.pool(pool) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no pool {pool}")
    report = asking.ask(request, QUESTION, {"name": pool})
    answer = None if report.answer is None else benchmark_answer(found, inventory, report.answer.benchmark)
    if answer is not None and request.GET.get("format") == "csv":
        return _csv(pool, answer)
    run = answer.run if answer else None
    form = _USUAL | {name: request.POST[name] for name in _USUAL if name in request.POST}
    measured = [one.benchmark.disks for one in answer.results if one.benchmark.disks] if answer else []
    context = {
        "pool": found,
        "report": report,
        "answer": answer,
        "run": view.run_view(run) if run else None,
        "results": view.results(answer.results)[:_SHOWN] if answer else (),
        "compared": compared(answer.results) if answer else (),
        "more": max(0, len(answer.results) - _SHOWN) if answer else 0,
        "disks": view.disks(measured[0], answer.slow_disks, found, inventory) if answer and measured else (),
        "form": form,
        "read_disks": request.method != "POST" or request.POST.get("disks") == "yes",
        "profiles": view.PROFILES.items(),
        "records": _RECORDS,
        "compressions": _COMPRESSIONS,
        "errors": beside(findings, _FIELDS),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    part = "#figures" if is_htmx(request) and request.GET.get("part") == "figures" else ""
    return render(request, f"benchmark/benchmark.html{part}", context, status=422 if findings else 200)


def _csv(pool: str, answer: BenchmarkAnswer) -> HttpResponse:
    """Every part of every result, as plain numbers."""
    titles = (
        "finished", "profile", "record bytes", "compression", "clients", "file bytes", "part", "kind",
        "bytes per second", "operations per second", "mean seconds", "seconds of 99 percent",
        "processors busy", "openzfs", "vdevs",
    )  # fmt: skip
    rows = [
        (
            one.benchmark.finished_at or "", one.benchmark.profile, one.benchmark.record_bytes,
            one.benchmark.compression, one.benchmark.clients, one.benchmark.size_bytes, part.result.part,
            part.result.kind, round(part.result.bytes_per_s), round(part.result.operations_per_s, 1),
            part.result.mean_s, part.result.p99_s, round(part.result.processor_share, 3), one.state.openzfs,
            "; ".join(one.state.vdevs),
        )
        for one in answer.results for part in one.parts
    ]  # fmt: skip
    return csv_file(f"benchmark-{pool}", titles, rows)


@page("pools:read")
@require_POST
def stop(request: HttpRequest, pool: str) -> HttpResponseBase:
    """Ends what goes on in the background."""
    return propose(request, "pool.stop-benchmark", {"name": pool})

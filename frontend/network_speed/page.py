"""How fast the network is: to a machine where iperf3 listens, or measured from others for ten minutes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.findings import beside
from frontend.network_speed import view
from frontend.plans.page import propose
from frontend.typed_size import whole_typed
from jobs import cache
from jobs.plan import Finding
from machine.network_speed.answers import speed_answer
from machine.network_speed.see import QUESTION

_SHOWN = 20
_FIELDS = {"host": "host", "port": "port"}


@page("system:read")
def speed(request: HttpRequest) -> HttpResponseBase:
    """The forms, what goes on, and all results; a POST begins one."""
    if request.method != "POST":
        return _show(request)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, findings)

    sent = request.POST
    port = {"port": whole_typed(sent["port"])} if sent.get("port") else {}
    if sent.get("do") == "listen":
        return propose(request, "network.listen", port, refused=refused)
    return propose(
        request, "network.measure-speed", {"host": sent.get("host", "").strip()} | port, refused=refused
    )


def _show(request: HttpRequest, findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
    inventory = cache.current()
    report = asking.ask(request, QUESTION, {})
    answer = None
    if inventory is not None and report.answer is not None:
        answer = speed_answer(inventory, report.answer.speed)
    run = answer.run if answer else None
    found = view.results(answer.results) if answer else ()
    addresses = inventory.network.interfaces if inventory else ()
    context = {
        "report": report,
        "run": view.run_view(run) if run else None,
        "listens": run is not None and not run.host,
        "port": run.port if run else 5201,
        "results": found[:_SHOWN],
        "more": max(0, len(found) - _SHOWN),
        "address": next((one.address for port in addresses for one in port.leads_here), ""),
        "host": request.POST.get("host", ""),
        "typed_port": request.POST.get("port", ""),
        "errors": beside(findings, _FIELDS),
        "why_shut": why_shut(request.user, "system:write"),
    }
    part = "#figures" if is_htmx(request) and request.GET.get("part") == "figures" else ""
    return render(request, f"network_speed/speed.html{part}", context, status=422 if findings else 200)


@page("system:read")
@require_POST
def stop(request: HttpRequest) -> HttpResponseBase:
    """Ends what goes on in the background."""
    return propose(request, "network.stop-speed", {})

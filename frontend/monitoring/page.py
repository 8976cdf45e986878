"""Settings: metrics for Prometheus, and a log server for the journal."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from alerts.channels.sender import this_machine
from frontend.access import page
from frontend.findings import beside
from frontend.plans.page import propose
from frontend.states import StateView
from host.inventory import Inventory, LogForwarding
from jobs import cache
from jobs.plan import Finding
from jobs.rights import ADMIN
from machine.monitoring.set_log_target import USUAL_PORTS
from machine.monitoring.set_metrics import metrics_enabled

_FIELDS = {"protocol": "protocol", "host": "host", "port": "port", "authority": "authority"}
_ADMINS = "Only an admin can change this: it tells another machine about this one."
_PROTOCOLS = (("off", "Off"), ("tls", "TLS"), ("tcp", "TCP, not encrypted"), ("udp", "UDP, not encrypted"))
_LONGEST_PORT = 5


@page("system:read")
def monitoring(request: HttpRequest) -> HttpResponseBase:
    """Both forms; a POST asks for the plan of the one that was sent."""
    if request.method != "POST":
        return _show(request)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, findings)

    if "enabled" in request.POST:
        data: dict[str, Any] = {"enabled": request.POST["enabled"] == "yes"}
        return propose(request, "machine.set-metrics", data, refused=refused)
    data = {"protocol": request.POST.get("protocol", "off")}
    if data["protocol"] != "off":  # what is typed for another protocol stays in the form, and is not meant
        port = request.POST.get("port", "").strip()
        short = port.isascii() and port.isdecimal() and len(port) <= _LONGEST_PORT
        data |= {"host": request.POST.get("host", "").strip(), "port": int(port) if short else port or None}
        data |= {"authority": request.POST.get("authority", "")} if data["protocol"] == "tls" else {}
    return propose(request, "machine.set-log-target", data, refused=refused)


def _show(request: HttpRequest, findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
    inventory = cache.current()
    logs = inventory.network.logs if inventory else LogForwarding()
    here = this_machine("UTC").address
    target = logs.target
    context = {
        "enabled": metrics_enabled(),
        "address": f"{here}/metrics",
        "lines": _scrape_config(*here.split("://", 1)),
        "logs": logs,
        "state": _state(logs, inventory),
        "protocols": _PROTOCOLS,
        "ports": USUAL_PORTS,
        "protocol": request.POST.get("protocol", target.protocol if target else "off"),
        "host": request.POST.get("host", target.host if target else ""),
        "port": request.POST.get("port", target.port if target else ""),
        "authority": request.POST.get("authority", target.authority if target else ""),
        "errors": beside(findings, _FIELDS),
        "why_shut": None if request.user.has_perm(ADMIN) else _ADMINS,
    }
    return render(request, "monitoring/monitoring.html", context, status=422 if findings else 200)


def _scrape_config(scheme: str, place: str) -> list[str]:
    """Lines for prometheus.yml."""
    trust = [
        "    tls_config:",
        "      insecure_skip_verify: true  # or ca_file, with a certificate of your own",
    ]
    return [
        "scrape_configs:",
        "  - job_name: nasweb",
        "    scrape_interval: 30s",
        f"    scheme: {scheme}",
        "    authorization:",
        "      credentials_file: /etc/prometheus/nasweb.token",
        *(trust if scheme == "https" else []),
        "    static_configs:",
        f'      - targets: ["{place}"]',
    ]


def _state(logs: LogForwarding, inventory: Inventory | None) -> StateView:
    if inventory is None:
        return StateView(tone="idle", icon="circle-dashed", word="not known yet")
    if logs.altered:
        return StateView(tone="warn", icon="triangle-alert", word="changed by hand")
    if logs.target is None:
        return StateView(tone="idle", icon="circle-dashed", word="off")
    if not logs.active:
        return StateView(tone="bad", icon="circle-x", word="the service does not run")
    return StateView(tone="good", icon="circle-check", word="on")

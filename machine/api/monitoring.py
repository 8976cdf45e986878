"""`system/settings/metrics/` and `system/settings/log-target/`: what other tools get of this machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, inventory_now
from machine.monitoring.set_log_target import SetLogTarget
from machine.monitoring.set_metrics import SetMetrics, metrics_enabled


class MetricsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether Prometheus may read `path`, with a token that has `scope`."""

    enabled: bool
    path: str = "/metrics"
    scope: str = "metrics:read"


class LogTargetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where the journal is sent, and whether the service that sends it runs. `authority` is the PEM text of
    who signs the server's certificate; empty: one that the system trusts. `altered`: the file that says where
    to was changed by hand."""

    protocol: Literal["off", "tcp", "udp", "tls"]
    host: str
    port: int | None
    authority: str
    active: bool
    altered: bool
    as_of: Moment


class MetricsSettings(View):
    """Metrics for Prometheus."""

    area = "system"

    @describe("get_metrics_settings", {200: MetricsAnswer})
    def get(self, request: Request) -> Response:
        """Whether `/metrics` answers."""
        return Response(MetricsAnswer(enabled=metrics_enabled()))

    @writes("machine.set-metrics", SetMetrics)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Turn `/metrics` on or off. For admins alone."""
        return {}


class LogTargetSettings(View):
    """A log server for the journal."""

    area = "system"

    @describe("get_log_target", {200: LogTargetAnswer})
    def get(self, request: Request) -> Response:
        """Where the journal is sent."""
        inventory = inventory_now()
        logs = inventory.network.logs
        target = logs.target
        return Response(
            LogTargetAnswer(
                protocol=target.protocol if target else "off", host=target.host if target else "",
                port=target.port if target else None, authority=target.authority if target else "",
                active=logs.active, altered=logs.altered, as_of=inventory.as_of,
            )
        )  # fmt: skip

    @writes("machine.set-log-target", SetLogTarget)
    def put(self, request: Request) -> Mapping[str, Any]:
        """Send the journal to a log server, or with `off` nowhere. For admins alone."""
        return {}

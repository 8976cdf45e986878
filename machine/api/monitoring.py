"""`system/settings/metrics/`: what other tools get of this machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.document import describe
from jobs.api.operations import writes
from jobs.api.views import View
from machine.monitoring.set_metrics import SetMetrics, metrics_enabled


class MetricsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether Prometheus may read `path`, with a token that has `scope`."""

    enabled: bool
    path: str = "/metrics"
    scope: str = "metrics:read"


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

"""`/metrics`, for Prometheus: off until an admin turns it on, and for tokens with metrics:read alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from jobs.api.views import View
from machine.monitoring.set_metrics import metrics_enabled
from nasweb.api.authentication import BearerToken
from nasweb.metrics.gather import exposition
from nasweb.metrics.values import MEDIA_TYPES, Format

_OPENMETRICS = "application/openmetrics-text"


@extend_schema(exclude=True)  # it is no part of the API: its form is that of OpenMetrics
class Metrics(View):
    """Metrics as text. A browser's session does not open it: what is read by a tool is read by its token."""

    area = "metrics"
    authentication_classes = (BearerToken,)

    def scope_for(self, _method: str) -> str:
        """One scope for whatever is asked."""
        return "metrics:read"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nothing is here, for whomever, unless it was turned on."""
        if not metrics_enabled():
            raise NotFound("Metrics are off. An admin turns them on under Settings, Monitoring.")
        super().initial(request, *args, **kwargs)

    def get(self, request: Request) -> HttpResponseBase:
        """In the form that is accepted; OpenMetrics where both are."""
        how = negotiated(request.headers.get("Accept", ""))
        answer = HttpResponse(exposition(how), content_type=MEDIA_TYPES[how])
        answer.headers["Cache-Control"] = "no-store, private"
        answer.headers["Vary"] = "Accept"
        return answer

    get.parameters = frozenset()  # type: ignore[attr-defined]


def negotiated(accept: str) -> Format:
    """The form that a header Accept prefers; OpenMetrics where it prefers none of the two."""
    weights: dict[Format, float] = {"openmetrics": 0.0, "text": 0.0}
    for part in accept[:2000].split(","):
        name, *parameters = (one.strip().lower() for one in part.split(";"))
        given = [one.removeprefix("q=") for one in parameters if one.startswith("q=")]
        weight = _weight(given[0]) if given else 1.0
        if name in {_OPENMETRICS, "*/*", "application/*"}:
            weights["openmetrics"] = max(weights["openmetrics"], weight)
        elif name in {"text/plain", "text/*"}:
            weights["text"] = max(weights["text"], weight)
    return "text" if weights["text"] > weights["openmetrics"] else "openmetrics"


def _weight(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if 0 <= found <= 1 else 0.0

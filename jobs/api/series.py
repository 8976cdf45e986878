"""`metrics/series/`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from jobs import series
from jobs.api import query
from jobs.api.document import describe
from jobs.api.views import View, found

_DAY = timedelta(days=1)
_EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)
_NAME = OpenApiParameter(
    "name", str, OpenApiParameter.QUERY, required=True, description="Such as `disk.temperature:<serial>`."
)
_SPAN = [
    OpenApiParameter("from", datetime, OpenApiParameter.QUERY, description="ISO 8601; a day before `to`."),
    OpenApiParameter("to", datetime, OpenApiParameter.QUERY, description="ISO 8601; now when left out."),
]
_MOST = OpenApiParameter(
    "points",
    int,
    OpenApiParameter.QUERY,
    description=f"At most so many: 1 to {series.MOST_POINTS}, which is the default.",
)
_COLUMNS: dict[str, Any] = {
    "description": "Two columns: times in seconds since 1970, and the values then.",
    "type": "array",
    "prefixItems": [
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "items": {"type": "number"}},
    ],
    "minItems": 2,
    "maxItems": 2,
}


class Series(View):
    """What was measured over time."""

    area = "system"

    @describe("read_series", {200: _COLUMNS}, parameters=[_NAME, *_SPAN, _MOST])
    def get(self, request: Request) -> Response:
        """Points of 10 seconds within the last day, means of a minute within the last month, and of an hour
        for two years; means over longer spans where that would be more than `points`."""
        name = request.query_params.get("name")
        if not name:
            raise query.required("name", "Say which series: ?name=disk.temperature:<serial>.")
        until = query.moment(request, "to") or datetime.now(UTC)
        since = query.moment(request, "from") or max(until, _EARLIEST) - _DAY
        if since > until:
            raise query.bad_value("from", "This is later than “to”.")
        found(series.known(name) or None, "series")
        most = query.number(request, "points", default=series.MOST_POINTS, most=series.MOST_POINTS)
        columns = series.read(name, since, until, most=most)
        return Response([columns.times, columns.values])

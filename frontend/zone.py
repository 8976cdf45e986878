"""Pages tell the time of the machine's zone, from the page after the one on which it was chosen."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from jobs import cache
from jobs.schedules.cron import zones
from jobs.schedules.zone import usual_zone


class MachineZone:
    """Django's current time zone, for one request. The API tells UTC, whatever it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, in the machine's zone."""
        if request.path_info.startswith(("/api/", "/static/")) or not request.user.is_authenticated:
            return self.get_response(request)
        name = usual_zone(cache.current())
        with timezone.override(ZoneInfo(name) if name in zones() else None):
            return self.get_response(request)

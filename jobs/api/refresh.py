"""`inventory/refresh/`."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from jobs import broker, cache, waiting
from jobs.api import preference
from jobs.api.document import PREFER, describe
from jobs.api.shapes import RefreshAnswer
from jobs.api.views import View


class QueueDown(APIException):
    """The worker cannot be asked to probe the machine."""

    status_code = 503
    default_detail = "The queue does not respond, so the worker cannot be asked."
    default_code = "queue-down"


class Refresh(View):
    """Asks for a fresh inventory."""

    area = "system"
    write_scope = "system:read"  # it reads and changes nothing

    @describe("refresh_inventory", {200: RefreshAnswer, 202: RefreshAnswer}, parameters=[PREFER])
    def post(self, request: Request) -> Response:
        """202 at once, or 200 with the fresh inventory's time when it came within the wait asked for."""
        now = timezone.now()
        requested = now.replace(microsecond=now.microsecond // 1000 * 1000)
        if not broker.send("jobs.tasks.refresh"):
            raise QueueDown
        seconds = preference.asked_s(request)
        fresh = waiting.newer_inventory(requested, timeout_s=seconds) if seconds else None
        inventory = fresh or cache.current()
        answer = RefreshAnswer(
            as_of=None if inventory is None else inventory.as_of,
            requested_at=requested.isoformat(timespec="milliseconds"),
        )
        return Response(answer, status=200 if fresh else 202)

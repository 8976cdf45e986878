"""`slow/`."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.slow.figures import MINUTES, gather
from alerts.slow.rules import SlowReason, reasons
from jobs.api.document import describe
from jobs.api.views import View, inventory_now


class SlowAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Reasons why something may be slow, what is certain first; none where nothing stands out."""

    results: tuple[SlowReason, ...]
    minutes: int  # that were looked back
    as_of: str


class Slow(View):
    """What is slow?"""

    area = "alerts"

    @describe("get_slow", {200: SlowAnswer})
    def get(self, request: Request) -> Response:
        """Reasons in words, from what was measured in the last minutes. One that is not `certain` is no
        fault, such as a scrub. `href` is a page of the console."""
        inventory = inventory_now()
        found = reasons(inventory, gather(inventory, datetime.now(UTC)))
        return Response(SlowAnswer(results=found, minutes=MINUTES, as_of=inventory.as_of))

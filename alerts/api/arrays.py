"""`arrays/{name}/history/`: what mdadm's monitor reported of an array, and when it was checked last."""

from __future__ import annotations

from datetime import UTC

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from alerts import arrays_checked
from alerts.models import ArrayEvent
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now


class ArrayEventAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An event. `event` is mdadm's own word (mdadm(8), MONITOR MODE) in `words`."""

    id: int
    at: Moment
    event: str
    words: str


class ArrayCheckAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The last check. `checked_at` is null where none is known, `known_since` when the array was checked or
    first seen; `mismatches` are sectors that differed then. `overdue`: after 35 days."""

    checked_at: Moment | None
    known_since: Moment
    mismatches: int | None
    overdue: bool


class ArrayHistoryPage(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to an array, newest first; `check` is null for one that cannot be checked."""

    results: tuple[ArrayEventAnswer, ...]
    next: str | None
    check: ArrayCheckAnswer | None


class ArrayHistory(View):
    """What happened to one array."""

    area = "pools"

    @describe("get_array_history", {200: ArrayHistoryPage}, parameters=PAGING)
    def get(self, request: Request, name: str) -> Response:
        """A page of events, with the last check."""
        array = found(inventory_now().array(name), "array")
        known = arrays_checked.of_array(array.uuid)
        check = known and ArrayCheckAnswer(
            checked_at=known.checked_at, known_since=known.since, mismatches=known.found,
            overdue=known.overdue,
        )  # fmt: skip
        answer = paging.of_rows(request, ArrayEvent.objects.filter(uuid=array.uuid), show=_event)
        answer.data["check"] = check
        return answer


def _event(row: ArrayEvent) -> ArrayEventAnswer:
    at = row.at.astimezone(UTC).isoformat(timespec="milliseconds")
    return ArrayEventAnswer(id=row.pk, at=at, event=row.event, words=row.words)

"""Makes an endpoint of a question: 200 with the answer, or 202 until the worker has found it."""

from __future__ import annotations

from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs import questions, waiting
from jobs.api import preference
from jobs.api.refresh import QueueDown
from jobs.api.views import user_of

_TIMEOUT_S = 10.0  # where the caller does not say


class StillAsking(msgspec.Struct, frozen=True, kw_only=True):
    """The worker has not answered yet. Send the same request again to get its answer."""

    detail: str = "The worker is still working on it. Send the same request again."


def answered(request: Request, name: str, data: Any) -> Response:
    """Ask, wait as long as `Prefer: wait` says (10 s where it says nothing), and answer.

    Raises what `jobs.questions.ask` raises, and `Refused` with what the worker found in the way.
    """
    asked = settled(request, name, data)
    return still_asking() if asked.data is None else Response(msgspec.Raw(asked.data))


def settled(request: Request, name: str, data: Any) -> questions.Asked:
    """As `answered`, for endpoints with a form of their own; without data the answer is not there yet."""
    try:
        asked = questions.ask(name, data, user_of(request))
    except questions.NobodyAnswers:
        raise QueueDown from None
    if not asked.settled:
        wanted_s = preference.asked_s(request) if "Prefer" in request.headers else _TIMEOUT_S
        asked = waiting.answer(asked, timeout_s=wanted_s)
    if asked.refused is not None:
        raise asked.refused
    return asked


def still_asking() -> Response:
    """202: ask again."""
    return Response(StillAsking(), status=202, headers={"Retry-After": "1"})

"""What only the worker can read, for pages: asked, waited for a moment, and polled by asking again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from jobs import questions, waiting
from jobs.plan import Finding, Refused
from jobs.submission import Forbidden

_TIMEOUT_S = 1.0  # a page comes at once; what takes longer is polled for (parts/asking.html)


class AnswerView(msgspec.Struct, frozen=True, kw_only=True):
    """The answer in the question's shape, or why there is none; `waiting` while the worker is at it."""

    answer: Any = None
    findings: tuple[Finding, ...] = ()
    waiting: bool = False


def ask(
    request: HttpRequest, name: str, data: Mapping[str, Any], *, timeout_s: float = _TIMEOUT_S
) -> AnswerView:
    """Ask and wait up to `timeout_s`. Asking the same again tells how far it has come.

    Raises `PermissionDenied`.
    """
    try:
        asked = questions.ask(name, dict(data), request.user)
        if not asked.settled:
            asked = waiting.answer(asked, timeout_s=timeout_s)
        return AnswerView(answer=questions.value(name, asked), waiting=not asked.settled)
    except Refused as refused:
        return AnswerView(findings=refused.findings)
    except questions.NobodyAnswers as error:
        finding = Finding(level="error", code="queue-down", field="", message=str(error))
        return AnswerView(findings=(finding,))
    except Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None

"""The one map from an exception to an answer (RFC 9457)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from accounts.setup import TooManyGuesses
from jobs.api.guesses import WINDOW_S
from jobs.api.jobs import JobEnded
from jobs.submission import (
    Busy,
    ConfirmationRequired,
    Forbidden,
    IdempotencyMismatch,
    PlanStale,
    Refused,
)
from nasweb.api.problems import MEDIA_TYPE, Problem
from nasweb.database import RETRY_AFTER_S, database_trouble

_log = structlog.get_logger("api")


def answer(error: Exception, context: dict[str, Any]) -> Response:
    """The answer to `error`; what nobody expected is logged and answered by 500 without details."""
    set_rollback()
    for kind, answer_to in _ANSWERS.items():
        if isinstance(error, kind):
            return answer_to(error)
    if isinstance(error, exceptions.APIException) and error.status_code in _BY_STATUS:
        return _framework(error)
    if (why := database_trouble(error)) is not None:
        _log.error("database cannot be used", error=str(error))
        headers = {"Retry-After": str(RETRY_AFTER_S)}
        return problem(Problem.SERVICE_UNAVAILABLE, why, headers=headers)
    _log.exception("unexpected error", view=type(context.get("view")).__name__)
    return problem(Problem.INTERNAL_ERROR, "Something went wrong here. The log has the details.")


def problem(kind: Problem, detail: str, *, headers: dict[str, str] | None = None, **more: Any) -> Response:
    """A problem of that kind; `more` are its further members."""
    body = kind.document(detail, **more)
    return Response(body, status=kind.status, headers=headers, content_type=MEDIA_TYPE)


def _refused(error: Refused) -> Response:
    errors = sum(finding.level == "error" for finding in error.findings)
    detail = error.findings[0].message if errors == 1 else f"There are {errors} things to put right."
    return problem(Problem.REFUSED, detail, findings=msgspec.to_builtins(error.findings))


def _stale(error: PlanStale) -> Response:
    return problem(Problem.PLAN_STALE, str(error), plan=error.plan.view())


def _unconfirmed(error: ConfirmationRequired) -> Response:
    return problem(Problem.CONFIRMATION_REQUIRED, str(error), plan=error.plan.view())


def _busy(error: Busy) -> Response:
    return problem(Problem.BUSY, str(error), job=error.job.pk, resource=error.resource)


def _ended(error: JobEnded) -> Response:
    return problem(Problem.JOB_ENDED, str(error), job=error.job.pk)


def _too_many(error: TooManyGuesses) -> Response:
    return problem(Problem.TOO_MANY_GUESSES, str(error), headers={"Retry-After": str(WINDOW_S)})


def _throttled(_error: exceptions.Throttled) -> Response:
    detail = "Too many codes were tried. Wait a minute, then try again."
    return problem(Problem.TOO_MANY_GUESSES, detail, headers={"Retry-After": str(WINDOW_S)})


def _key_used(error: IdempotencyMismatch) -> Response:
    return problem(Problem.IDEMPOTENCY_MISMATCH, str(error))


def _forbidden(error: Exception) -> Response:
    return problem(Problem.FORBIDDEN, str(error) or "You may not do this.")


def _not_found(error: Exception) -> Response:
    detail = error.detail if isinstance(error, exceptions.NotFound) else "There is nothing here."
    return problem(Problem.NOT_FOUND, str(detail))


def _suspicious(error: Exception) -> Response:
    return problem(Problem.BAD_REQUEST, "The request could not be read.")


def _framework(error: exceptions.APIException) -> Response:
    """What the REST framework raises: its status says what kind of problem it is."""
    headers = {}
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined]
    if error.status_code == Problem.SERVICE_UNAVAILABLE.status:
        headers["Retry-After"] = "5"
    return problem(_BY_STATUS[error.status_code], str(error.detail), headers=headers)


_BY_STATUS = {
    kind.status: kind
    for kind in (
        Problem.BAD_REQUEST,
        Problem.UNAUTHORIZED,
        Problem.METHOD_NOT_ALLOWED,
        Problem.CONTENT_TOO_LARGE,
        Problem.UNSUPPORTED_MEDIA_TYPE,
        Problem.SERVICE_UNAVAILABLE,
    )
}
_ANSWERS: dict[type[Exception], Callable[[Any], Response]] = {
    Refused: _refused,
    PlanStale: _stale,
    ConfirmationRequired: _unconfirmed,
    Busy: _busy,
    JobEnded: _ended,
    IdempotencyMismatch: _key_used,
    TooManyGuesses: _too_many,
    exceptions.Throttled: _throttled,
    Forbidden: _forbidden,
    PermissionDenied: _forbidden,
    exceptions.PermissionDenied: _forbidden,
    exceptions.NotFound: _not_found,
    Http404: _not_found,
    SuspiciousOperation: _suspicious,
}

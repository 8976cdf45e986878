"""The one map from an exception to an answer (RFC 9457)."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from jobs.api.jobs import JobEnded
from jobs.submission import (
    Busy,
    ConfirmationRequired,
    Forbidden,
    IdempotencyMismatch,
    PlanStale,
    Refused,
)

PROBLEM = "application/problem+json"
_TYPES = "/api/v1/problems/"
_log = structlog.get_logger("api")


def answer(error: Exception, context: dict[str, Any]) -> Response:
    """The answer to `error`; what nobody expected is logged and answered by 500 without details."""
    set_rollback()
    for kind, answer_to in _ANSWERS.items():
        if isinstance(error, kind):
            return answer_to(error)
    _log.exception("unexpected error", view=type(context.get("view")).__name__)
    detail = "Something went wrong here. The log has the details."
    return problem(500, "internal-error", "Internal error", detail)


def problem(
    status: int, slug: str, title: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """A problem whose type ends in `slug`; `more` are its further members."""
    body = {"type": _TYPES + slug, "title": title, "status": status, "detail": detail, **more}
    return Response(body, status=status, headers=headers, content_type=PROBLEM)


def _refused(error: Refused) -> Response:
    errors = sum(finding.level == "error" for finding in error.findings)
    detail = error.findings[0].message if errors == 1 else f"There are {errors} things to put right."
    findings = msgspec.to_builtins(error.findings)
    return problem(422, "refused", "The request cannot be carried out", detail, findings=findings)


def _stale(error: PlanStale) -> Response:
    return problem(409, "plan-stale", "The plan changed", str(error), plan=error.plan.view())


def _unconfirmed(error: ConfirmationRequired) -> Response:
    title = "Confirmation required"
    return problem(409, "confirmation-required", title, str(error), plan=error.plan.view())


def _busy(error: Busy) -> Response:
    return problem(409, "busy", "In use by a job", str(error), job=error.job.pk, resource=error.resource)


def _ended(error: JobEnded) -> Response:
    return problem(409, "job-ended", "The job has ended", str(error), job=error.job.pk)


def _key_used(error: IdempotencyMismatch) -> Response:
    return problem(422, "idempotency-mismatch", "The key was used for something else", str(error))


def _forbidden(error: Exception) -> Response:
    return problem(403, "forbidden", "Not allowed", str(error) or "You may not do this.")


def _not_found(error: Exception) -> Response:
    detail = error.detail if isinstance(error, exceptions.NotFound) else "There is nothing here."
    return problem(404, "not-found", "Not found", str(detail))


def _suspicious(error: Exception) -> Response:
    return problem(400, "bad-request", "Bad request", "The request could not be read.")


def _framework(error: exceptions.APIException) -> Response:
    """What the REST framework raises: its status says what kind of problem it is."""
    headers = {}
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined]
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = f"{wait:.0f}"
    elif error.status_code == 503:
        headers["Retry-After"] = "5"
    phrase = HTTPStatus(error.status_code).phrase
    slug = phrase.lower().replace(" ", "-")
    return problem(error.status_code, slug, phrase, str(error.detail), headers=headers)


_ANSWERS: dict[type[Exception], Callable[[Any], Response]] = {
    Refused: _refused,
    PlanStale: _stale,
    ConfirmationRequired: _unconfirmed,
    Busy: _busy,
    JobEnded: _ended,
    IdempotencyMismatch: _key_used,
    Forbidden: _forbidden,
    PermissionDenied: _forbidden,
    exceptions.PermissionDenied: _forbidden,
    exceptions.NotFound: _not_found,
    Http404: _not_found,
    SuspiciousOperation: _suspicious,
    exceptions.APIException: _framework,
}

"""What is harmless, without a plan page: submitted at once, waited for a moment, reported as a toast.

What destroys something is never done this way: the plan's page shows it first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic
from typing import Any

import msgspec
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

from frontend.plans import toasts
from jobs import retrying, secrets, submission, waiting
from jobs.models import Job, State
from jobs.operation import operation as operation_called
from jobs.operation import title_of
from jobs.plan import Finding, Refused

_TIMEOUT_S = 4.0


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How it went: the job if there is one, what stood in the way if it did not succeed."""

    job: Job | None = None
    problem: str = ""
    findings: tuple[Finding, ...] = ()

    @property
    def warnings(self) -> list[str]:
        """What the plan warned of."""
        findings = self.job.plan["findings"] if self.job else []
        return [finding["message"] for finding in findings if finding["level"] == "warning"]

    @property
    def done(self) -> bool:
        """Carried out, and not merely on its way."""
        return self.job is not None and self.job.state == State.SUCCEEDED


def carry_out(
    request: HttpRequest, operation: str, data: Mapping[str, Any], *, timeout_s: float = _TIMEOUT_S
) -> Outcome:
    """Submit and wait up to `timeout_s`. Raises `PermissionDenied`."""
    return carry_out_all(request, operation, (data,), timeout_s=timeout_s)[0]


def carry_out_all(
    request: HttpRequest,
    operation: str,
    requests: Iterable[Mapping[str, Any]],
    *,
    timeout_s: float = _TIMEOUT_S,
) -> list[Outcome]:
    """Submit a job for each, and wait up to `timeout_s` for all of them. Raises `PermissionDenied`."""
    submitted = [_submitted(request, operation, data) for data in requests]
    until = monotonic() + timeout_s
    return [_ended(outcome, timeout_s=max(0.0, until - monotonic())) for outcome in submitted]


def _submitted(request: HttpRequest, operation: str, data: Mapping[str, Any]) -> Outcome:
    try:
        with secrets.sealed(operation_called(operation).request, dict(data)) as sealed:
            return Outcome(job=retrying.submit(operation, sealed.data, request.user, sealed=sealed))
    except Refused as refused:
        errors = tuple(finding for finding in refused.findings if finding.level == "error")
        return Outcome(problem=" ".join(finding.message for finding in errors), findings=errors)
    except submission.Busy as busy:
        held = busy.resource.replace(":", " ")
        return Outcome(problem=f"Job {busy.job.pk} holds {held}; it has to end first.")
    except submission.ConfirmationRequired as required:
        return Outcome(problem=str(required))
    except submission.Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None


def _ended(outcome: Outcome, *, timeout_s: float) -> Outcome:
    """How the job stands after that time; what was refused stays as it is."""
    if (job := outcome.job) is None:
        return outcome
    waiting.job_end(job, timeout_s=timeout_s)
    if job.active or job.state == State.SUCCEEDED:
        return outcome
    error = job.error or {}
    said = error.get("advice") or ". ".join(filter(None, [error.get("title"), error.get("detail")]))
    return Outcome(job=job, problem=said or f"Job {job.pk} ended as {job.state}.")


def show_outcome(request: HttpRequest, outcome: Outcome, done: str) -> None:
    """Say on the next page how it went; `done` is the sentence for success."""
    tags = toasts.tags_of(outcome.job) if outcome.job else ""
    if outcome.problem:
        messages.error(request, outcome.problem)
    elif outcome.done:
        messages.success(request, done, extra_tags=tags)
    elif outcome.job is not None:
        title = title_of(outcome.job.operation, outcome.job.request)
        messages.info(request, f"{title}: job {outcome.job.pk} is running.", extra_tags=tags)


def back_to(request: HttpRequest, otherwise: str) -> HttpResponseBase:
    """Where the form says that the user was: an address of this console, never another site."""
    back = request.POST.get("back", otherwise)
    ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return HttpResponseRedirect(back if ours else otherwise)

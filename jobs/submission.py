"""From a user's request to a stored job: shape, plan, digest, claims."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from jobs import cache, claims, secrets
from jobs.audit import record
from jobs.broker import announce
from jobs.claims import Busy
from jobs.models import Job, JobStep, State, StepState
from jobs.needs import complete
from jobs.operation import operation
from jobs.plan import Finding, Plan, Refused
from jobs.planning.allowed import check_plan
from jobs.planning.findings import fault
from jobs.planning.planned import planned
from jobs.planning.shape import read
from jobs.planning.sources import Cached
from jobs.rights import Forbidden, User, need
from jobs.secrets import Sealed

__all__ = [
    "Busy", "ConfirmationRequired", "Forbidden", "IdempotencyMismatch", "PlanStale", "Refused", "User",
    "abort", "prepare", "submit",
]  # fmt: skip


class PlanStale(Exception):
    """What would be done now is not what was shown; `plan` is the new plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        super().__init__(
            "The machine has changed since this plan was shown. Review the new plan and decide again."
        )


class ConfirmationRequired(Exception):
    """The plan destroys something, and no digest says that it was read."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        super().__init__("This would destroy something. Review the plan and send its digest to confirm it.")


class IdempotencyMismatch(Exception):
    """The key was used before, for something else."""


def prepare(name: str, data: Any, user: User, *, faults: tuple[Finding, ...] = ()) -> Plan:
    """The plan for `data`, whose secrets are references, on the cached inventory. Changes nothing.

    `faults` were found in it before, and refuse it together with what is found here.
    Raises `Forbidden`, or `Refused` with the findings of shape and content together.
    """
    asked = operation(name)
    need(user, asked.scope)
    shaped = read(asked.request, data)
    shaped = shaped._replace(findings=(*faults, *shaped.findings))
    if shaped.value is None:
        raise Refused(shaped.findings)
    need(user, *asked.also_needs(shaped.value))
    inventory = cache.current()
    if inventory is None:
        message = "The machine has not been probed yet. Is the worker running?"
        raise Refused((fault("no-inventory", "", message),))
    try:
        inventory = complete(inventory, asked.needs(shaped.value, inventory), Cached(user))
        plan = planned(asked, shaped.value, inventory)
    except Refused as refused:
        raise Refused((*shaped.findings, *refused.findings)) from None
    if shaped.findings:
        raise Refused(shaped.findings)
    check_plan(user, plan)
    return plan


def submit(
    name: str,
    data: Any,
    user: User,
    *,
    digest: str | None = None,
    idempotency_key: str | None = None,
    sealed: Sealed | None = None,
    confirmed: Callable[[Plan], None] | None = None,
) -> Job:
    """Store a job for `data` and wake the worker. `sealed` is `data` if its secrets were taken out just now.

    `confirmed` is given the plan that was read, before anything is stored, and may raise.
    Raises what `prepare` raises, `PlanStale`, `ConfirmationRequired`, `Busy` or `IdempotencyMismatch`.
    """
    request = operation(name).request
    same = sealed.same if sealed else data
    fingerprint = hashlib.sha256(json.dumps((name, same), sort_keys=True).encode()).hexdigest()
    actor = user.get_username()
    if idempotency_key is not None and (known := _known(actor, idempotency_key, fingerprint)):
        if sealed:
            secrets.drop(secrets.references(request, data).values())
        return known
    plan = prepare(name, data, user, faults=sealed.faults if sealed else ())
    if missing := secrets.gone(request, data):
        raise Refused(missing)
    if digest is not None and digest != plan.digest:
        raise PlanStale(plan)
    if digest is None and plan.destroys:
        raise ConfirmationRequired(plan)
    if confirmed is not None:
        confirmed(plan)
    try:
        with transaction.atomic():
            job = _store(plan, data, user, idempotency_key, fingerprint)
    except IntegrityError:
        # Another request with the same key was a moment quicker: its job is the answer.
        if idempotency_key and (known := _known(actor, idempotency_key, fingerprint)):
            if sealed:
                secrets.drop(secrets.references(request, data).values())
            return known
        raise
    announce(job.pk)
    return job


def abort(job: Job, user: User) -> Job:
    """End a queued job now, or a running one before its next step. Raises `Forbidden`."""
    need(user, "jobs:write")
    with transaction.atomic():
        queued = Job.objects.filter(pk=job.pk, state=State.QUEUED)
        if queued.update(state=State.ABORTED, finished_at=timezone.now(), abort_requested=True):
            JobStep.objects.filter(job=job).update(state=StepState.SKIPPED)
            claims.release(job.pk)
            secrets.drop(secrets.of_job(job))
        else:
            Job.objects.filter(pk=job.pk, state=State.RUNNING).update(abort_requested=True)
        record(user.get_username(), "job.abort", str(job.pk), job=job)
    job.refresh_from_db()
    return job


def _known(actor: str, key: str, fingerprint: str) -> Job | None:
    job = Job.objects.filter(submitted_by=actor, idempotency_key=key).first()
    if job is not None and job.idempotency_hash != fingerprint:
        raise IdempotencyMismatch("This Idempotency-Key was used before with another body.")
    return job


def _store(plan: Plan, data: Any, user: User, key: str | None, fingerprint: str) -> Job:
    actor = user.get_username()
    job = Job.objects.create(
        operation=plan.operation,
        request=data,
        plan=plan.view(),
        digest=plan.digest,
        submitted_by=actor,
        account=getattr(user, "pk", None),
        token=getattr(getattr(user, "token", None), "pk", None),
        submitted_at=timezone.now(),
        idempotency_key=key,
        idempotency_hash=fingerprint,
    )
    claims.take(job, plan.claims)
    JobStep.objects.bulk_create(
        JobStep(job=job, index=index, title=step.title, commands=[list(c.shown()) for c in step.commands])
        for index, step in enumerate(plan.steps)
    )
    if plan.destroys or job.account is not None or not operation(plan.operation).routine:
        record(actor, plan.operation, ", ".join(plan.claims[:3]), job=job)
    return job

"""`jobs/` and `audit/`."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from jobs import submission
from jobs.api import paging, query
from jobs.api.document import DRY_RUN, PAGING, PREFER, describe
from jobs.api.operations import accepted
from jobs.api.shapes import AbortPlanAnswer, AuditPage, JobAnswer, JobPage
from jobs.api.views import View, user_of
from jobs.models import AuditEvent, Job, State, StepState
from jobs.rights import User
from jobs.withheld import TITLE, event_view, job_view, names_files

_STATE = OpenApiParameter("state", str, OpenApiParameter.QUERY, enum=State.values)


class JobEnded(Exception):
    """There is nothing left to abort."""

    def __init__(self, job: Job) -> None:
        self.job = job
        super().__init__(f"Job {job.pk} has ended: {job.state}.")


class Jobs(View):
    """All jobs, newest first."""

    area = "jobs"

    @describe("list_jobs", {200: JobPage}, parameters=[*PAGING, _STATE])
    def get(self, request: Request) -> Response:
        """A page of jobs."""
        jobs = Job.objects.defer("plan").prefetch_related("steps")
        if state := query.choice(request, "state", tuple(State.values)):
            jobs = jobs.filter(state=state)
        user = user_of(request)
        return paging.of_rows(request, jobs, show=lambda job: job_view(job, user))


class OneJob(View):
    """One job."""

    area = "jobs"

    @describe("get_job", {200: JobAnswer})
    def get(self, request: Request, job_id: int) -> Response:
        """The job with its steps."""
        return Response(job_view(_job(job_id), user_of(request)))


class AbortJob(View):
    """Ends a job before its next step."""

    area = "jobs"

    @describe("abort_job", {200: AbortPlanAnswer, 202: JobAnswer}, parameters=[DRY_RUN, PREFER])
    def post(self, request: Request, job_id: int) -> Response:
        """Ask for the end; a queued job ends at once."""
        job = _job(job_id)
        if not job.active:
            raise JobEnded(job)
        if query.flag(request, "dry_run"):
            return Response(_abort_plan(job, user_of(request)))
        return accepted(request, submission.abort(job, user_of(request)))


class Audit(View):
    """Who did what, when."""

    area = "system"

    @describe("list_audit_events", {200: AuditPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of audit events, newest first."""
        user = user_of(request)
        return paging.of_rows(request, AuditEvent.objects.all(), show=lambda event: event_view(event, user))


def _abort_plan(job: Job, user: User) -> AbortPlanAnswer:
    waiting = job.steps.filter(state=StepState.WAITING)
    titles = tuple(waiting.values_list("title", flat=True))
    return AbortPlanAnswer(
        job=job.pk,
        ends="now" if job.state == State.QUEUED else "before-next-step",
        skips=(TITLE,) * len(titles) if names_files(job.operation, user) else titles,
    )


def _job(job_id: int) -> Job:
    job: Any = Job.objects.filter(pk=job_id).first() if job_id < 1 << 63 else None
    if job is None:
        raise NotFound("There is no such job.")
    return job  # type: ignore[no-any-return]

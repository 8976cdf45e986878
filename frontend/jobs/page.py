"""Jobs: the list, one job, and its abort."""

from __future__ import annotations

import json

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from frontend.access import page, part, unchanged, why_shut
from frontend.jobs import narrowing
from frontend.plans.view import job_row, job_view
from frontend.power.away import away_view
from frontend.welcome import going_back as welcome_return
from jobs import broker, cache, submission
from jobs.models import ACTIVE, Job

_PER_PAGE = 50


@page("jobs:read")
def jobs(request: HttpRequest) -> HttpResponseBase:
    """Newest first, a page at a time, narrowed by kind, person and state (`frontend.jobs.narrowing`)."""
    chosen = narrowing.chosen(request.GET.dict())
    before = request.GET.get("before", "")
    found = narrowing.narrowed(Job.objects.defer("plan"), chosen)
    if before.isascii() and before.isdecimal() and len(before) < 18:
        found = found.filter(pk__lt=int(before))
    rows = list(found[: _PER_PAGE + 1])
    shown = rows[:_PER_PAGE]
    mark = ".".join(f"{job.pk}{job.state}" for job in shown)
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "before": before,
        "chosen": chosen,
        "query": chosen.query,
        "kinds": narrowing.KINDS,
        "states": narrowing.STATES,
        "people": Job.objects.order_by("submitted_by")
        .values_list("submitted_by", flat=True)
        .distinct()[:100],
        "rows": [job_row(job, request.user) for job in shown],
        "next": shown[-1].pk if len(rows) > _PER_PAGE else None,
    }
    return render(request, part(request, "jobs/jobs.html"), context)


@page("jobs:read")
def job(request: HttpRequest, job_id: int) -> HttpResponseBase:
    """One job: its progress, then its record."""
    found = get_object_or_404(Job, pk=job_id)
    shown = job_view(found, request.user)
    # While it runs its output grows and its age is told by the browser: the mark is what may change.
    steps = "".join(f"{step.state.tone[0] if step.state else ''}{len(step.output)}" for step in shown.steps)
    mark = f"{found.state}.{steps}.{found.abort_requested}.{broker.alive()}"
    if answer := unchanged(request, mark):
        return answer
    context = {
        "job": shown,
        "away": away_view(found, cache.current(), timezone.now()),
        "mark": mark,
        "why_shut": why_shut(request.user, "jobs:write"),
        "go_on": welcome_return.underway(request),
        "operation": found.operation,
        "request_json": json.dumps(found.request),
    }
    return render(request, part(request, "jobs/job.html"), context)


@page("jobs:read")
@require_POST
def abort(request: HttpRequest, job_id: int) -> HttpResponseBase:
    """Stop a job before its next step."""
    found = get_object_or_404(Job, pk=job_id)
    try:
        if found.state in ACTIVE:
            submission.abort(found, request.user)
    except submission.Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None
    return redirect("job", found.pk)

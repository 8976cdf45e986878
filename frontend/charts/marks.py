"""What happened in a span of time: jobs that changed something, and incidents."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from alerts.models import Incident
from frontend.plans.view import job_row
from jobs import routine
from jobs.models import Job

_MOST = 40


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A moment (seconds since 1970), what happened, and the page about it."""

    time: int
    label: str
    href: str


def marks_between(user: Any, since: datetime, until: datetime) -> list[Mark]:
    """The newest of them, in the order of time, of what `user` may see."""
    found: list[Mark] = []
    if user.has_perm("jobs:read"):
        jobs = Job.objects.filter(started_at__gte=since, started_at__lt=until)
        found += [
            _mark(job.started_at, job_row(job, user).title, f"/jobs/{job.pk}/")
            for job in jobs.exclude(operation__in=routine.folded())[:_MOST]
        ]
    if user.has_perm("alerts:read"):
        incidents = Incident.objects.filter(opened_at__gte=since, opened_at__lt=until)[:_MOST]
        found += [_mark(one.opened_at, one.title, f"/alerts/#alert-{one.pk}") for one in incidents]
    return sorted(found, key=lambda mark: mark.time)[-_MOST:]


def _mark(moment: datetime | None, label: str, href: str) -> Mark:
    return Mark(time=int(moment.timestamp()) if moment else 0, label=label, href=href)

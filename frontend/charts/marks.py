"""What happened in a span of time: jobs that changed something, runs of snapshots, scans, and incidents."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import QuerySet

from alerts.models import Incident, ZfsEvent
from frontend.plans.view import job_row
from jobs import routine
from jobs.models import Job, State
from pools.links import pool_href

_MOST = 40
# What runs every hour is of use where single hours are seen, and would only hide the rest elsewhere.
_ROUTINE_WITHIN = timedelta(hours=25)
_SCANS = [
    f"sysevent.fs.zfs.{name}"
    for name in ("scrub_start", "scrub_finish", "scrub_abort", "resilver_start", "resilver_finish")
]


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A moment (seconds since 1970), what happened, and the page about it."""

    time: int
    label: str
    href: str


def marks_between(user: Any, since: datetime, until: datetime) -> list[Mark]:
    """The newest of them, in the order of time, of what `user` may see."""
    found = _scans(since, until)
    if user.has_perm("jobs:read"):
        jobs = Job.objects.filter(started_at__gte=since, started_at__lt=until)
        found += _of_jobs(jobs.exclude(operation__in=routine.folded()), user)
        if until - since <= _ROUTINE_WITHIN:
            # Those that did nothing but look have no steps.
            runs = jobs.filter(operation__in=routine.names(), state=State.SUCCEEDED, steps__isnull=False)
            found += _of_jobs(runs.distinct(), user)
    if user.has_perm("alerts:read"):
        incidents = Incident.objects.filter(opened_at__gte=since, opened_at__lt=until)[:_MOST]
        found += [_mark(one.opened_at, one.title, f"/alerts/#alert-{one.pk}") for one in incidents]
    return sorted(found, key=lambda mark: mark.time)[-_MOST:]


def _of_jobs(jobs: QuerySet[Job], user: Any) -> list[Mark]:
    return [_mark(job.started_at, job_row(job, user).title, f"/jobs/{job.pk}/") for job in jobs[:_MOST]]


def _scans(since: datetime, until: datetime) -> list[Mark]:
    """Scrubs and resilvers, whoever began them."""
    rows = ZfsEvent.objects.filter(event__in=_SCANS, at__gte=since, at__lt=until)[:_MOST]
    return [_mark(row.at, row.words, pool_href(row.pool)) for row in rows]


def _mark(at: datetime | None, label: str, href: str) -> Mark:
    return Mark(time=int(at.timestamp()) if at else 0, label=label, href=href)

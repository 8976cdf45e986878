"""What happened in a span of time: jobs that changed something, runs of snapshots, scans, and incidents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import QuerySet

from alerts.models import Incident
from frontend.plans.view import job_row
from frontend.units import moment
from jobs import cache, routine
from jobs.models import Job, State
from pools.links import pool_href

_MOST = 40
# What runs every hour is of use where single hours are seen, and would only hide the rest elsewhere.
_ROUTINE_WITHIN = timedelta(hours=25)
_SCANS = {"SCRUB": "Scrub", "RESILVER": "Resilver"}


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A moment (seconds since 1970), what happened, and the page about it."""

    time: int
    label: str
    href: str


def marks_between(user: Any, since: datetime, until: datetime) -> list[Mark]:
    """The newest of them, in the order of time, of what `user` may see."""
    found = list(_scans(since, until))
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


def _scans(since: datetime, until: datetime) -> Iterator[Mark]:
    """The last scrub or resilver of each pool, whoever began it."""
    inventory = cache.current()
    for pool in inventory.pools if inventory else ():
        scan = pool.scan
        name = _SCANS.get(scan.function) if scan else None
        for at, words in ((scan.started, "began"), (scan.finished, "ended")) if scan and name else ():
            time = moment(at)
            if time is not None and since <= time < until:
                yield _mark(time, f"{name} of {pool.name} {words}", pool_href(pool.name))


def _mark(moment: datetime | None, label: str, href: str) -> Mark:
    return Mark(time=int(moment.timestamp()) if moment else 0, label=label, href=href)

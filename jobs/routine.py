"""Jobs that run on schedule many times a day, such as the snapshots of policies: seldom worth a line."""

from __future__ import annotations

from datetime import datetime, timedelta

from jobs.models import Job, State
from jobs.operation import operations

_KEPT = timedelta(days=7)
_AT_ONCE = 500


def names() -> tuple[str, ...]:
    """The operations that are routine."""
    return tuple(name for name, operation in operations().items() if operation.routine)


def folded() -> tuple[str, ...]:
    """The operations whose jobs a list leaves out where they succeeded."""
    return tuple(name for name, row in operations().items() if row.routine or not row.listed)


def is_one(job: Job) -> bool:
    """Whether `job` is of a routine operation."""
    return job.operation in names()


def forget(now: datetime) -> int:
    """Delete routine jobs that succeeded and ended over a week ago; how many. What failed stays, and so does
    what the audit log says of those that destroyed something."""
    done = Job.objects.filter(operation__in=names(), state=State.SUCCEEDED, finished_at__lt=now - _KEPT)
    keys = list(done.values_list("pk", flat=True)[:_AT_ONCE])
    Job.objects.filter(pk__in=keys).delete()
    return len(keys)

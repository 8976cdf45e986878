"""Submits for a person: waits for scheduled jobs that are running, so that nobody has to try again."""

from __future__ import annotations

import time
from typing import Any

from jobs import routine, submission, waiting
from jobs.models import Job

_RETRY_S = 10.0  # most routine jobs are over in two seconds


def submit(name: str, data: Any, user: submission.User, **more: Any) -> Job:
    """As `jobs.submission.submit`, which says `more`; raises `Busy` only for a job that will take longer.

    A job of another person is not waited for: whoever comes second has to see first what it changed.
    """
    deadline = time.monotonic() + _RETRY_S
    while True:
        try:
            return submission.submit(name, data, user, **more)
        except submission.Busy as busy:
            left = deadline - time.monotonic()
            if left <= 0 or not routine.is_one(busy.job):
                raise
            if not waiting.job_end(busy.job, timeout_s=left):
                raise

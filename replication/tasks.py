"""Scheduled work on replications."""

from __future__ import annotations

from threading import Lock

from celery import shared_task

from jobs.operation import the_host
from replication.replications import following

_one_at_a_time = Lock()


@shared_task(name="replication.tasks.follow")
def follow() -> None:
    """Write down what became of runs, and start those that follow from snapshots."""
    if not _one_at_a_time.acquire(blocking=False):
        return
    try:
        following.follow(the_host())
        following.start_after_snapshots()
    finally:
        _one_at_a_time.release()

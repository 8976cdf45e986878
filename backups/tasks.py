"""Work on backups that comes back."""

from __future__ import annotations

from threading import Lock

from celery import shared_task

from backups.following import follow
from backups.models import RunRow
from jobs.operation import the_host

_one_at_a_time = Lock()


@shared_task(name="backups.tasks.follow")
def follow_runs() -> None:
    """Keep how far runs have come. Nothing is asked of the machine while there is none."""
    if not RunRow.objects.filter(verdict="").exists() or not _one_at_a_time.acquire(blocking=False):
        return
    try:
        follow(the_host())
    finally:
        _one_at_a_time.release()

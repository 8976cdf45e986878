"""Scheduled work on replications."""

from __future__ import annotations

from threading import Lock

from celery import shared_task
from django.utils import timezone

from jobs import engine
from jobs.operation import the_host
from replication.replications import following, proofs
from replication.rewrites import following as rewriting
from replication.rotating import tick as rotating

_one_at_a_time = Lock()


@shared_task(name="replication.tasks.follow")
def follow() -> None:
    """Write down what became of runs and rewritings, and start what follows from that."""
    if not _one_at_a_time.acquire(blocking=False):
        return
    try:
        host = the_host()
        if following.follow(host):
            engine.refresh(host)  # there may be new datasets
        proofs.follow(host)
        if rewriting.follow(host):
            engine.refresh(host)
        following.start_after_snapshots()
        proofs.start(timezone.now(), rotating.under_way())
        rotating.tick(timezone.now(), host)
    finally:
        _one_at_a_time.release()

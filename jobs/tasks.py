"""What the queue can wake. A task takes an id at most; the row says what to do."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from celery import shared_task
from celery.signals import worker_ready, worker_shutdown
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from jobs import cache, engine, interrupted, questions, routine, series
from jobs.broker import send
from jobs.models import Job, State
from jobs.operation import the_host
from jobs.planning import labels
from jobs.schedules.pace import Pace
from jobs.schedules.tick import tick
from jobs.series.collecting import Collection

_collection = Collection()
_pace = Pace(time.monotonic, rest=4, most_s=60)  # pages call facts of two minutes old


@shared_task(name="jobs.tasks.carry_out")
def carry_out(job_id: int) -> None:
    """Carry one job out."""
    engine.run(job_id, the_host())


@shared_task(name="jobs.tasks.refresh")
def refresh() -> None:
    """Take a fresh inventory."""
    engine.refresh(the_host())


@shared_task(name="jobs.tasks.refresh_periodically")
def refresh_periodically() -> None:
    """Take a fresh inventory, unless the last took so long that the machine would do little else."""
    _pace.run(refresh)


@shared_task(name="jobs.tasks.scan_for_pools")
def scan_for_pools() -> None:
    """Read the labels of all disks, because somebody asked. Probe first: what was exported since the last
    probe would pass for imported, and so not be among what was found."""
    engine.refresh(the_host())
    labels.search(the_host())


@shared_task(name="jobs.tasks.answer_questions")
def answer_questions() -> None:
    """Read what somebody asked for."""
    questions.answer_waiting(the_host())


@shared_task(name="jobs.tasks.sweep")
def sweep() -> None:
    """Find queued jobs whose message was lost (the queue was down or restarted) and carry them out; end those
    whose end was lost."""
    lost = timezone.now() - timedelta(seconds=3)
    for job_id in Job.objects.filter(state=State.QUEUED, submitted_at__lt=lost).values_list("pk", flat=True):
        send("jobs.tasks.carry_out", job_id)
    engine.settle()


@shared_task(name="jobs.tasks.run_schedules")
def run_schedules() -> None:
    """Submit what is due."""
    tick(timezone.now())


@shared_task(name="jobs.tasks.collect")
def collect() -> None:
    """Take down what the machine does."""
    _collection.collect(cache.current())


@shared_task(name="jobs.tasks.flush_series")
def flush_series() -> None:
    """Write the time series down, with few points made of many."""
    series.flush(timezone.now())


@shared_task(name="jobs.tasks.forget_routine")
def forget_routine() -> None:
    """Delete the routine jobs that succeeded long ago, and the sessions that have ended."""
    routine.forget(timezone.now())
    SessionStore.clear_expired()


@worker_ready.connect
def start(**_: Any) -> None:
    """At the worker's start: probe the machine, settle what an earlier worker left, take up what waits.

    In this order: who hears that a job was interrupted plans on what it has done.
    """
    host = the_host()
    try:
        engine.refresh(host)
    finally:
        interrupted.recover(host)
    sweep()


@worker_shutdown.connect
def end(**_: Any) -> None:
    """What was measured of late survives a restart of the machine."""
    series.flush(timezone.now())

"""Scheduled work on pools."""

from __future__ import annotations

from threading import Lock

from celery import shared_task
from django.utils import timezone

from jobs import cache, series
from jobs.operation import the_host
from jobs.series.collecting import kernel_files
from pools.benchmark import following
from pools.datasets.traffic import Traffic
from pools.files import forgetting
from pools.models import BenchmarkRow
from pools.policies.tick import tick

_one_at_a_time = Lock()
_one_benchmark_round = Lock()
_traffic, _one_round = Traffic(), Lock()


@shared_task(name="pools.tasks.run_policies")
def run_policies() -> None:
    """Take the snapshots that are due, and delete those that no policy retains any more."""
    if not _one_at_a_time.acquire(blocking=False):
        return
    try:
        tick(timezone.now(), the_host())
    finally:
        _one_at_a_time.release()


@shared_task(name="pools.tasks.forget_uploads")
def forget_uploads() -> None:
    """Remove what has arrived of uploads that nobody goes on with."""
    forgetting.forget_uploads(timezone.now(), the_host())


@shared_task(name="pools.tasks.follow_traffic")
def follow_traffic() -> None:
    """Record what datasets are read and written, and once a day how much each holds."""
    if (inventory := cache.current()) is None or not _one_round.acquire(blocking=False):
        return
    try:
        series.record(_traffic.points(inventory, kernel_files(), timezone.now()))
    finally:
        _one_round.release()


@shared_task(name="pools.tasks.follow_benchmarks")
def follow_benchmarks() -> None:
    """Keep what benchmarks found. Nothing is asked of the machine while there is none."""
    if not BenchmarkRow.objects.filter(verdict="").exists() or not _one_benchmark_round.acquire(
        blocking=False
    ):
        return
    try:
        following.follow(the_host())
    finally:
        _one_benchmark_round.release()

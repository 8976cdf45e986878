"""Waits for what the worker does. Holds no transaction meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import BoundedSemaphore, Event
from typing import TypeVar

from host.inventory import Inventory
from jobs import cache, questions
from jobs.models import ACTIVE, CachedImportable, CachedInventory, Job

T = TypeVar("T")
# Set when the web server is asked to stop: who waits gets an answer as it is by then, not a cut connection.
stopping = Event()
MOST_S = 60.0
_FIRST_PROBE_S = 10.0
_QUICK_S, _SLOW_S = 0.01, 0.1
# A wait occupies a thread of the web server, which has 32: callers beyond half of them are not kept.
_seats = BoundedSemaphore(16)


def job_end(job: Job, *, timeout_s: float) -> bool:
    """Wait until `job` has ended; False when it takes longer. Refreshes `job` either way."""
    ended = _until(
        lambda: not Job.objects.filter(pk=job.pk, state__in=ACTIVE).exists() or None, timeout_s=timeout_s
    )
    job.refresh_from_db()
    return bool(ended)


def newer_inventory(moment: datetime, *, timeout_s: float) -> Inventory | None:
    """Wait for an inventory that was begun at `moment` (in whole milliseconds, as `as_of` is) or later."""
    arrived = _until(
        lambda: CachedInventory.objects.filter(pk=1, as_of__gte=moment).exists() or None, timeout_s=timeout_s
    )
    return cache.current() if arrived else None


def newer_search(moment: datetime, *, timeout_s: float) -> bool:
    """Wait until the labels of disks were read at `moment` (in whole milliseconds) or later."""
    rows = CachedImportable.objects.filter(pk=1, as_of__gte=moment)
    return bool(_until(lambda: rows.exists() or None, timeout_s=timeout_s))


def answer(asked: questions.Asked, *, timeout_s: float) -> questions.Asked:
    """Wait until a question is settled; what it is then, or after `timeout_s`."""

    def settled() -> questions.Asked | None:
        now = questions.read(asked.row_id)
        return now if now.settled else None

    return _until(settled, timeout_s=timeout_s) or asked


def until[T](condition: Callable[[], T | None], *, timeout_s: float) -> T | None:
    """What `condition` gives once it is not None; None after `timeout_s`, for what other rooms wait for."""
    return _until(condition, timeout_s=timeout_s)


def first_inventory() -> Inventory | None:
    """Wait for the first inventory of all, which comes moments after the worker's start."""
    return _until(cache.current, timeout_s=_FIRST_PROBE_S)


def _until[T](condition: Callable[[], T | None], *, timeout_s: float) -> T | None:
    """What `condition` gives once it is not None; None after `timeout_s`, or when the server stops."""
    deadline = time.monotonic() + timeout_s
    pause = _QUICK_S
    with _seat() as placed:
        while (result := condition()) is None:
            left = deadline - time.monotonic()
            if left <= 0 or not placed or stopping.wait(min(pause, left)):
                return None
            pause = min(pause * 1.5, _SLOW_S)
    return result


@contextmanager
def _seat() -> Iterator[bool]:
    placed = _seats.acquire(blocking=False)
    try:
        yield placed
    finally:
        if placed:
            _seats.release()

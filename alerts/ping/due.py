"""Whether it is time to ask, and whether all is well enough for it. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

FRESH = timedelta(minutes=5)  # a probe every 15 seconds, and some patience with a busy machine


def is_due(last_try_at: datetime | None, every_minutes: int, now: datetime) -> bool:
    """A last try in the future is one before the clock was set back."""
    if last_try_at is None or last_try_at > now:
        return True
    return now - last_try_at >= timedelta(minutes=every_minutes)


def all_runs(probed_at: datetime | None, now: datetime) -> bool:
    """Whether the machine was probed of late: the queue, the worker, its helper and the database work."""
    return probed_at is not None and abs(now - probed_at) <= FRESH

"""What is done about alerts by the clock. Only values in memory and counters are read; no disk is woken."""

from __future__ import annotations

from threading import Lock

from celery import shared_task

from alerts.doctor import space
from alerts.incidents import story
from alerts.live import watching
from alerts.memory import recall
from jobs import cache
from jobs.operation import the_host

_one_at_a_time = Lock()


class _Seen:
    """What the last tick went by, in this one worker."""

    as_of: str = ""
    unsure: frozenset[str] = frozenset()


@shared_task(name="alerts.tasks.watch")
def watch() -> None:
    """Tell what the newest look at the machine found; nothing where there is no newer one."""
    inventory = cache.current()
    if inventory is None or inventory.as_of == _Seen.as_of or not _one_at_a_time.acquire(blocking=False):
        return
    try:
        _Seen.unsure = story.follow(inventory, recall(inventory), _Seen.unsure)
        _Seen.as_of = inventory.as_of
    finally:
        _one_at_a_time.release()


@shared_task(name="alerts.tasks.measure")
def measure() -> None:
    """Take down how full each pool is."""
    if (inventory := cache.current()) is not None:
        space.keep(inventory)


@shared_task(name="alerts.tasks.look")
def look() -> None:
    """Ask the pools that somebody looks at what they do; starts nothing when nobody looks."""
    if (inventory := cache.current()) is not None:
        watching.sample(the_host(), inventory)

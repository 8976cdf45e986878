"""Scheduled work on disks. No task wakes a disk."""

from __future__ import annotations

from threading import Lock
from typing import Any

import structlog
from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from disks import burning, lights
from disks.self_tests import tick as self_tests
from disks.smart import readings
from host.base import HostError
from host.probe.disks.mark import mark
from jobs import cache, engine
from jobs.broker import send
from jobs.operation import the_host

_log = structlog.get_logger("disks")
_testing = Lock()
_reading = Lock()  # a round that takes long is not joined by the next


class _Seen:
    """What the last tick saw, in this one worker."""

    mark: str = ""
    probe_again = False


@shared_task(name="disks.tasks.watch")
def watch() -> None:
    """Look whether a disk came or went, and at once at the whole machine if so.

    Twice: udev may need a moment to find out what it is that came.
    """
    host = the_host()
    darkened = lights.end_due(host)
    try:
        now = mark(host)
    except HostError as error:
        _log.warning("cannot probe for disks", error=str(error))
        return
    changed = now != _Seen.mark
    if changed or _Seen.probe_again or darkened:
        _Seen.mark, _Seen.probe_again = now, changed
        engine.refresh(host)


@shared_task(name="disks.tasks.read_smart")
def read_smart() -> None:
    """Read all disks that are awake."""
    if (inventory := cache.current()) is None or not _reading.acquire(blocking=False):
        return
    try:
        readings.read_all(the_host(), inventory)
    finally:
        _reading.release()
    engine.refresh(the_host())


@shared_task(name="disks.tasks.run_self_tests")
def run_self_tests() -> None:
    """Start the self-tests that are due."""
    if not _testing.acquire(blocking=False):
        return
    try:
        self_tests.tick(the_host(), timezone.now())
    except HostError as error:
        _log.warning("cannot start self-tests", error=str(error))
    finally:
        _testing.release()


@shared_task(name="disks.tasks.read_one")
def read_one(record_id: int) -> None:
    """Read one disk, because something was done with it."""
    if inventory := cache.current():
        readings.read_some(the_host(), inventory, [record_id])
        engine.refresh(the_host())


@shared_task(name="disks.tasks.follow")
def follow() -> None:
    """Look after what runs on its own: burn-ins, self-tests, and disks that nobody asked yet."""
    host, inventory = the_host(), cache.current()
    if inventory is None:
        return
    try:
        ended = burning.follow(host, inventory)
    except HostError as error:
        _log.warning("cannot follow burn-ins", error=str(error))
        return
    waiting = readings.expecting()
    if waiting:
        readings.read_some(host, inventory, waiting)
    if ended or waiting:
        engine.refresh(host)


@worker_ready.connect
def start(**_: Any) -> None:
    """At the worker's start: all lights off, and a first round of readings."""
    if inventory := cache.current():
        lights.end_all(the_host(), inventory)
    send("disks.tasks.read_smart")

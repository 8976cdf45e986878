"""The clock of the one worker: what is due every so many seconds, carried out in threads of its own.

Celery's beat would send each tick to this same process through the queue: messages and beat took three fifths
of the worker's time on an idle machine, and a tick waited for jobs that take hours.
"""

from __future__ import annotations

import sched
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Event, Thread
from typing import Any

import structlog
from celery import Celery, bootsteps
from django.conf import settings
from django.db import close_old_connections

_log = structlog.get_logger("clock")
_THREADS = 4


class Clock(bootsteps.StartStopStep):
    """A step of the worker's start. It goes by the time since the machine's start, which nobody sets.

    Nothing is kept: after a start each tick comes when its interval has passed once.
    """

    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self._stopped = Event()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="tick")
        self._thread: Thread | None = None
        self._failing: dict[str, str] = {}  # the error of each task whose last tick failed

    def start(self, worker: Any) -> None:
        """Begin to tick."""
        self._thread = Thread(target=self.tick_until_stopped, args=(worker.app,), name="clock", daemon=True)
        self._thread.start()

    def stop(self, worker: Any) -> None:
        """No further tick; waits for those that are being carried out."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        self._pool.shutdown(cancel_futures=True)

    def tick_until_stopped(self, app: Celery) -> None:
        """Carry out each of `settings.TICKS` every so many seconds."""
        timer = sched.scheduler(time.monotonic)
        for name, seconds in settings.TICKS.items():
            timer.enter(seconds, 0, self._due, (timer, seconds, app.tasks[name], None))
        while not self._stopped.is_set():
            self._stopped.wait(timer.run(blocking=False))

    def _due(
        self, timer: sched.scheduler, seconds: float, task: Callable[[], None], last: Future[None] | None
    ) -> None:
        # One that takes longer than its interval is not begun twice: there is no pile of refreshes.
        if last is None or last.done():
            last = self._begun(task)
        timer.enter(seconds, 0, self._due, (timer, seconds, task, last))

    def _begun(self, task: Callable[[], None]) -> Future[None] | None:
        try:
            return self._pool.submit(partial(self._carry_out, task))
        except RuntimeError as error:  # no memory for a thread: the clock goes on, there may be some later
            _log.warning("a tick could not begin", task=getattr(task, "name", ""), error=str(error))
            return None

    def _carry_out(self, task: Callable[[], None]) -> None:
        name = getattr(task, "name", "")
        try:
            task()
        except Exception as error:  # noqa: BLE001 - whatever it was, the next one is carried out all the same
            # Once: with a damaged database all fail, and logged a megabyte a minute to the flash drives.
            if self._failing.get(name) != repr(error):
                self._failing[name] = repr(error)
                _log.exception("a tick failed", task=name)
        else:
            if self._failing.pop(name, None):
                _log.info("a tick works again", task=name)
        finally:
            close_old_connections()

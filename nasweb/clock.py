"""Celery beat as a thread of the one worker: a process of its own would cost 80 MB to send two messages."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from typing import Any

import structlog
from celery import Celery, bootsteps
from celery.beat import Scheduler, Service
from celery.schedules import schedule

_log = structlog.get_logger("clock")
_PAUSE_S = 5.0
_START = datetime(2000, 1, 1, tzinfo=UTC)


def steady() -> datetime:
    """A time that only goes forward: of the machine's own clock, which somebody may set, it knows nothing."""
    return _START + timedelta(seconds=time.monotonic())


class SteadyScheduler(Scheduler):
    """Beat by the steady time: by the machine's, a clock that is set back by months stops it for months."""

    def setup_schedule(self) -> None:
        """The entries of the settings, each so many seconds after its last time."""
        self.merge_inplace(
            {
                name: entry | {"schedule": schedule(entry["schedule"], nowfun=steady, app=self.app)}
                for name, entry in self.app.conf.beat_schedule.items()
            }
        )


class Clock(bootsteps.StartStopStep):
    """A step of the worker's start. The schedule lives in memory: after a start every tick is due anyway."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self._stopped = Event()
        self._service: Service | None = None

    def start(self, worker: Any) -> None:
        """Begin to tick, in a thread that ends with the process."""
        Thread(target=self.tick_until_stopped, args=(worker.app,), name="clock", daemon=True).start()

    def stop(self, worker: Any) -> None:
        """No further tick; does not wait for the thread, which may sleep until its next one."""
        self._stopped.set()
        if self._service:
            self._service.stop()

    def tick_until_stopped(self, app: Celery) -> None:
        """Beat ends when the queue is unreachable for long; here it is started again, as systemd would."""
        while not self._stopped.is_set():
            try:
                self._service = Service(app, scheduler_cls=SteadyScheduler)
                self._service.start()
            except Exception as error:  # noqa: BLE001 - whatever ended it, the clock must go on
                _log.warning("the clock starts again", error=str(error))
            self._stopped.wait(_PAUSE_S)

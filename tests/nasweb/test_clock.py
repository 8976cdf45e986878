"""The clock goes on after whatever ended it, and stops with the worker."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from celery.schedules import schedule

from nasweb import clock
from nasweb.celery import app


def test_the_worker_carries_the_clock() -> None:
    assert clock.Clock in app.steps["worker"]


def test_a_clock_that_ends_is_started_again_until_the_worker_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    class Service:
        def __init__(self, app: Any, scheduler_cls: Any) -> None:
            self.stopped = False

        def start(self) -> None:
            started.append("start")
            if len(started) == 3:
                step.stop(None)
                started.append(f"stopped: {self.stopped}")
                return
            raise ConnectionError("the queue is unreachable")

        def stop(self) -> None:
            self.stopped = True

    monkeypatch.setattr(clock, "Service", Service)
    monkeypatch.setattr(clock, "_PAUSE_S", 0.0)
    step = clock.Clock(worker=None)
    step.tick_until_stopped(app)
    assert started == ["start", "start", "start", "stopped: True"]


def test_a_clock_that_is_set_back_by_months_stops_no_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    wall, since = datetime(2027, 5, 3, 19, 10, tzinfo=UTC), 1000.0
    monkeypatch.setattr(app, "now", lambda: wall)
    monkeypatch.setattr(time, "monotonic", lambda: since)
    scheduler = clock.SteadyScheduler(app, lazy=True)
    scheduler.setup_schedule()
    entry = scheduler.schedule["refresh"].next()
    assert not scheduler.is_due(entry)[0]
    wall = datetime(2027, 1, 4, 9, 20, tzinfo=UTC)
    since += 14.0
    assert scheduler.is_due(entry)[1] == pytest.approx(1.0)
    since += 1.0
    assert scheduler.is_due(entry)[0]


def test_every_tick_of_the_settings_is_in_the_schedule() -> None:
    scheduler = clock.SteadyScheduler(app, lazy=True)
    scheduler.setup_schedule()
    seconds = {
        name: entry.schedule.seconds
        for name, entry in scheduler.schedule.items()
        if isinstance(entry.schedule, schedule)
    }
    assert seconds == {name: entry["schedule"] for name, entry in app.conf.beat_schedule.items()}

"""The clock goes on after whatever ended it, and stops with the worker."""

from __future__ import annotations

from typing import Any

import pytest

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
            raise ConnectionError("the queue is away")

        def stop(self) -> None:
            self.stopped = True

    monkeypatch.setattr(clock, "Service", Service)
    monkeypatch.setattr(clock, "_PAUSE_S", 0.0)
    step = clock.Clock(worker=None)
    step.tick_until_stopped(app)
    assert started == ["start", "start", "start", "stopped: True"]

"""The clock goes on after whatever a tick does, begins none twice, and stops with the worker."""

from __future__ import annotations

import sched
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, cast

import pytest
from django.test import override_settings
from structlog.testing import capture_logs

from nasweb import clock
from nasweb.celery import app


class Later(Executor):
    """Carries nothing out until `run`."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Callable[[], Any], Future[Any]]] = []

    def submit(self, task: Callable[..., Any], /, *_args: Any, **_kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((task, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._waiting = [] if cancel_futures else self._waiting

    def run(self) -> int:
        """How many were waiting."""
        waiting, self._waiting = self._waiting, []
        for task, future in waiting:
            future.set_result(task())
        return len(waiting)


class Time:
    """Goes forward where somebody waits, and stops the clock at its end."""

    def __init__(self, step: clock.Clock, until: float) -> None:
        self.now, self._step, self._until = 0.0, step, until

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds
        if self.now > self._until:
            self._step.stop(None)


@pytest.fixture
def pool() -> Later:
    return Later()


@pytest.fixture
def run(pool: Later, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Runs a clock for so many seconds; whatever is due is carried out in each `every` of them."""

    def run(seconds: float, *, busy: bool = False) -> None:
        step = clock.Clock(worker=None)
        step._pool.shutdown()
        step._pool = cast("Any", pool)
        time = Time(step, seconds)
        make = sched.scheduler
        monkeypatch.setattr("nasweb.clock.sched.scheduler", lambda _: make(time))
        stopped = step._stopped

        def wait(left: float) -> bool:
            if not busy:
                pool.run()
            time.wait(left)
            return stopped.is_set()

        monkeypatch.setattr(stopped, "wait", wait)
        step.tick_until_stopped(app)

    with override_settings(TICKS={"jobs.tasks.sweep": 10.0, "alerts.tasks.watch": 2.0}):
        yield run


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was carried out, in its order, and `closed` after each: broken connections to the database."""
    done: list[str] = []
    monkeypatch.setattr(clock, "close_old_connections", lambda: done.append("closed"))
    for name in ("jobs.tasks.sweep", "alerts.tasks.watch"):
        monkeypatch.setattr(app.tasks[name], "run", lambda name=name: done.append(name))
    return done


def test_the_worker_carries_the_clock() -> None:
    assert clock.Clock in app.steps["worker"]


def test_each_comes_when_its_interval_has_passed(run: Callable[..., None], ticks: list[str]) -> None:
    run(20)
    assert (ticks.count("alerts.tasks.watch"), ticks.count("jobs.tasks.sweep")) == (10, 2)
    assert ticks[:4] == ["alerts.tasks.watch", "closed"] * 2


def test_one_that_goes_on_is_not_begun_twice(run: Callable[..., None], ticks: list[str], pool: Later) -> None:
    run(20, busy=True)
    assert pool.run() == 0, "what waited is not begun once the worker stops"
    assert ticks == []


def test_one_that_fails_is_carried_out_again_and_each_error_logged_once_in_a_row(
    run: Callable[..., None], ticks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = ["no queue", "no queue", "no database", "", "", "no database", "no database"]

    def fails() -> None:
        ticks.append("watch")
        if end := ends.pop(0):
            raise ConnectionError(end)

    monkeypatch.setattr(app.tasks["alerts.tasks.watch"], "run", fails)
    with capture_logs() as logged:
        run(14)
    assert ends == []
    assert ticks[:4] == ["watch", "closed"] * 2, "connections are closed after one that failed too"
    assert (ticks.count("watch"), ticks.count("closed")) == (7, 7 + ticks.count("jobs.tasks.sweep"))
    assert {one["task"] for one in logged} == {"alerts.tasks.watch"}
    said = ["a tick failed", "a tick failed", "a tick works again", "a tick failed"]
    assert [one["event"] for one in logged] == said


def test_one_that_cannot_begin_is_tried_again(
    run: Callable[..., None], ticks: list[str], pool: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, tried = pool.submit, list[float]()

    def submit(*args: Any) -> Future[Any]:
        tried.append(1)
        if len(tried) == 1:
            raise RuntimeError("can't start new thread")
        return begin(*args)

    monkeypatch.setattr(pool, "submit", submit)
    with capture_logs() as logged:
        run(6)
    assert [one["event"] for one in logged] == ["a tick could not begin"]
    assert ticks.count("alerts.tasks.watch") == 2


def test_every_tick_of_the_settings_is_a_task_that_takes_nothing(settings: Any) -> None:
    app.loader.import_default_modules()
    assert len(settings.TICKS) > 20
    for name, seconds in settings.TICKS.items():
        assert seconds >= 2.0
        assert app.tasks[name].run.__code__.co_argcount == 0

"""Probes of the machine are shared."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event, Lock, Semaphore
from typing import Any

import pytest

from jobs.shared import Shared


class Watched:
    """A lock that records who has come to it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.came = Semaphore(0)

    def __enter__(self) -> None:
        self.came.release()
        self._lock.acquire()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


def test_who_asks_meanwhile_shares_the_next_one() -> None:
    lock, done, began, go = Watched(), [], Event(), Event()
    shared = Shared(lock)  # type: ignore[arg-type]

    def work(name: str) -> bool:
        began.set()
        go.wait(10)
        done.append(name)
        return name == "first"

    with ThreadPoolExecutor() as pool:
        answers = [pool.submit(shared, lambda: work("first"))]
        lock.came.acquire(timeout=10)
        began.wait(10)
        for name in ("second", "third", "fourth"):
            answers.append(pool.submit(shared, partial(work, name)))
            lock.came.acquire(timeout=10)
        go.set()
        assert [answer.result(10) for answer in answers] == [True, False, False, False]
    assert done[0] == "first" and len(done) == 2


def test_one_after_the_other_is_done_each_time() -> None:
    shared = Shared()
    done: list[int] = []

    def work(number: int) -> bool:
        done.append(number)
        return True

    for number in range(3):
        assert shared(partial(work, number)) is True
    assert done == [0, 1, 2]


def test_what_goes_wrong_is_reported_to_whoever_did_it_and_counts_for_nobody() -> None:
    shared = Shared()
    with pytest.raises(ZeroDivisionError):
        shared(lambda: bool(1 / 0))
    assert shared(lambda: True) is True

"""A web server that is asked to stop answers first whoever waits for a job."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from jobs import waiting
from nasweb.wsgi import answer_who_waits


@pytest.fixture
def heard() -> Iterator[list[int]]:
    """The signals that the server's own handler was given; all is as it was afterwards."""
    numbers: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _frame: numbers.append(number))
    yield numbers
    signal.signal(signal.SIGTERM, before)
    waiting.stopping.clear()


def test_who_waits_is_answered_and_the_server_stops_as_it_would(heard: list[int]) -> None:
    answer_who_waits()
    asked: list[int] = []

    def condition() -> None:
        asked.append(len(asked))
        if len(asked) == 2:
            signal.raise_signal(signal.SIGTERM)

    assert waiting.until(condition, timeout_s=3600) is None
    assert (asked, heard) == ([0, 1], [signal.SIGTERM])


def test_nobody_waits_in_a_server_that_stops(heard: list[int]) -> None:
    answer_who_waits()
    signal.raise_signal(signal.SIGTERM)
    assert waiting.until(lambda: None, timeout_s=3600) is None
    assert waiting.until(lambda: "there", timeout_s=3600) == "there"

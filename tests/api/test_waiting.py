"""`Prefer: wait`: ends with the job, with the time, or at once when too many wait already."""

from __future__ import annotations

import time
from threading import BoundedSemaphore

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from jobs import waiting
from jobs.api import preference as preferred


def seconds(preference: str) -> float:
    return preferred.asked_s(Request(APIRequestFactory().post("/", HTTP_PREFER=preference)))


@pytest.mark.parametrize(
    ("preference", "expected"),
    [
        ("wait=30", 30),
        ("respond-async, wait=5", 5),
        ("WAIT = 7 ; x=y", 7),
        ('wait="9"', 9),
        ("wait=600", 60),
        ("wait=999999999", 60),
        ("wait=9999999999999999999", 0),
        ("wait=-1", 0),
        ("wait=1.5", 0),
        ("await=3", 0),
        ("handling=strict", 0),
        ("", 0),
    ],
)
def test_the_seconds_are_read_from_the_preference(preference: str, expected: float) -> None:
    assert seconds(preference) == expected


def test_a_wait_ends_as_soon_as_its_condition_holds() -> None:
    answers = iter([None, None, "there"])
    start = time.monotonic()
    assert waiting._until(lambda: next(answers), timeout_s=30) == "there"
    assert time.monotonic() - start < 5


def test_a_wait_ends_with_its_time() -> None:
    assert waiting._until(lambda: None, timeout_s=0.02) is None


def test_waits_leave_half_of_the_threads_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_seats", BoundedSemaphore(1))
    asked = []

    def condition() -> None:
        asked.append(1)
        if len(asked) == 1:  # while this one waits, another comes
            assert waiting._until(lambda: None, timeout_s=30) is None

    assert waiting._until(condition, timeout_s=0.02) is None

"""Copies that somebody sends: taken in whole or not at all, and gone when nobody restored them in time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from host.backup.folders import beside
from machine import tasks
from machine.backup import uploads
from tests.host.backup.cases import copy

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def incoming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(uploads, "folders", lambda: beside(tmp_path))
    return beside(tmp_path).uploads


@pytest.fixture
def sent(incoming: Path) -> Callable[..., Path]:
    """Sends a copy, and makes it as old as is wished."""

    def send(age_s: float = 0) -> Path:
        path = incoming / uploads.take_in([copy()])
        os.utime(path, (time.time() - age_s,) * 2)
        return path

    return send


def test_the_clock_removes_what_nobody_restored_within_an_hour(sent: Callable[..., Path]) -> None:
    old, fresh = sent(3700), sent(3000)
    tasks.keep_copies()
    assert [path.exists() for path in (old, fresh)] == [False, True]


def test_without_anything_sent_the_clock_has_nothing_to_do(incoming: Path) -> None:
    tasks.keep_copies()
    assert not incoming.exists()


def test_of_many_the_newest_five_stay(sent: Callable[..., Path]) -> None:
    paths = [sent(100 - number) for number in range(7)]
    assert [path.exists() for path in paths] == [False] * 2 + [True] * 5


def test_two_who_send_at_once_do_not_stumble_over_what_the_other_removes(
    sent: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = sent(10)
    status = Path.stat

    def vanished(self: Path, **how: bool) -> os.stat_result:
        if self == gone:
            self.unlink(missing_ok=True)
        return status(self, **how)

    monkeypatch.setattr(Path, "stat", vanished)
    assert sent().exists()
    assert not gone.exists()


def test_more_than_a_copy_can_have_leaves_nothing_behind(
    incoming: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "LONGEST_BYTES", 100)
    with pytest.raises(uploads.TooLarge):
        uploads.take_in([bytes(60), bytes(60)])
    assert list(incoming.iterdir()) == []

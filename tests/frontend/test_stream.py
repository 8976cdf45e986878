"""The stream that says when there is something new: what makes a line of it, and how many there are."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from frontend.stream import changes
from frontend.stream.page import Places, places
from jobs import series

pytestmark = pytest.mark.django_db


class Meanwhile:
    """Stands for the wait between two readings: does what happens then, and stops the stream after all."""

    def __init__(self, *done: Callable[[], object]) -> None:
        self._done = iter(done)

    def __call__(self, seconds: float) -> bool:
        assert seconds == changes.PERIOD_S
        act = next(self._done, None)
        if act is not None:
            act()
        return act is None


def nothing() -> None:
    """Nothing happens."""


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Somebody else commits: SQLite counts that for a file, and the tests' database is in memory."""
    version = [1]
    monkeypatch.setattr(changes, "_version", lambda: version[0])

    def commit() -> None:
        version[0] += 1

    return commit


def test_a_commit_is_a_change_once(versions: Callable[[], None]) -> None:
    said = list(changes.lines(Meanwhile(nothing, versions, nothing)))
    assert said[1:] == [changes.CHANGE]


def test_two_commits_within_a_second_are_one_line(versions: Callable[[], None]) -> None:
    def twice() -> None:
        versions()
        versions()

    assert list(changes.lines(Meanwhile(twice)))[1:] == [changes.CHANGE]


def test_recorded_points_are_said(versions: Callable[[], None], settings: LazySettings) -> None:
    def record() -> None:
        series.record([series.Point("cpu.load", int(datetime.now(UTC).timestamp()), 1.0)])
        os.utime(settings.NASWEB_RECENT, ns=(1, 1))  # however coarse the file system's clock is

    assert list(changes.lines(Meanwhile(record)))[1:] == [changes.POINTS]


def test_silence_is_broken_every_three_seconds(versions: Callable[[], None]) -> None:
    said = list(changes.lines(Meanwhile(*[nothing] * 7)))
    assert said[1:] == [b":\n\n"] * 2


def test_it_ends_after_five_minutes(versions: Callable[[], None]) -> None:
    assert len(list(changes.lines(Meanwhile(*[versions] * 1000)))) == 301


def test_sqlite_counts_the_commits_of_others(tmp_path: Path) -> None:
    """What `_version` relies on, with files and connections of its own."""
    path = tmp_path / "a.sqlite3"
    one, other = sqlite3.connect(path), sqlite3.connect(path)
    one.execute("PRAGMA journal_mode=WAL")
    before = one.execute("PRAGMA data_version").fetchone()
    with other:
        other.execute("CREATE TABLE a (b)")
    assert one.execute("PRAGMA data_version").fetchone() != before
    assert isinstance(changes._version(), int)
    one.close()
    other.close()


@pytest.fixture
def free() -> Iterator[None]:
    """No place is taken before or after."""
    assert places._taken.total() == 0
    yield
    assert places._taken.total() == 0


def test_the_stream_names_its_type_and_is_not_buffered(
    viewer: Client, settings: LazySettings, free: None
) -> None:
    settings.NASWEB_STREAMS = 2
    answer = viewer.get("/stream/")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream"
    assert (answer["Cache-Control"], answer["X-Accel-Buffering"]) == ("no-store", "no")
    assert viewer.get("/stream/").status_code == 204, "one user takes no more than half of the places"
    answer.close()
    again = viewer.get("/stream/")
    assert again.status_code == 200
    again.close()


def test_strangers_get_none(client: Client, settings: LazySettings, free: None) -> None:
    settings.NASWEB_STREAMS = 2
    assert client.get("/stream/").status_code == 302
    assert client.post("/stream/").status_code in {302, 405}


def test_places_are_for_several_users(settings: LazySettings) -> None:
    settings.NASWEB_STREAMS = 3
    some = Places()
    assert [some.take(user) for user in (1, 1, 1, 2, 3)] == [True, True, False, True, False]
    some.leave(1)
    assert some.take(3)

"""Time series: fine for the last day, coarse for the last years, and never many."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from jobs import series
from jobs.series import Columns, Point, recent, stored
from jobs.series.file import opened
from jobs.series.values import DAY_S, SLOTS

NOW = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=1)
MINUTE = int(NOW.timestamp())
DAY, MONTH = timedelta(days=1), timedelta(days=30)


def fill(name: str, *, seconds: int, step: int = 10, until: int = MINUTE) -> None:
    """A point every `step` seconds up to `until`, whose value is its distance from it in steps."""
    series.record(Point(name, until - back, float(back // step)) for back in range(seconds, -1, -step))


def counts() -> dict[str, int]:
    """How many points are in the file."""
    with opened() as file:
        start, end = MINUTE - 100 * DAY_S, MINUTE + DAY_S
        minutes = sum(len(stored.minutes(file, number, start, end)) for number in _numbers(file))
        hours = sum(len(stored.hours(file, number, 0, 1 << 33).times) for number in _numbers(file))
    return {"minutes": minutes, "hours": hours}


def _numbers(file: sqlite3.Connection) -> list[int]:
    return [number for (number,) in file.execute("SELECT id FROM series").fetchall()]


def test_what_was_recorded_is_read_back_in_order() -> None:
    series.record([Point("a", MINUTE, 2.0), Point("a", MINUTE - 60, 1.0), Point("b", MINUTE, 9.0)])
    columns = series.read("a", NOW - timedelta(hours=1), NOW)
    assert (columns.times, columns.values) == ((MINUTE - 60, MINUTE), (1.0, 2.0))
    assert columns.lows == columns.highs == columns.values


def test_a_second_value_in_ten_seconds_takes_the_place_of_the_first() -> None:
    series.record([Point("a", MINUTE + 1, 2.0)])
    series.record([Point("a", MINUTE + 9, 3.0)])
    columns = series.read("a", NOW, NOW)
    assert (columns.times, columns.values) == ((MINUTE,), (3.0,))


def test_several_are_read_at_once_and_those_that_there_are_come_back() -> None:
    series.record([Point("a", MINUTE, 2.0), Point("b", MINUTE, 9.0), Point("c", MINUTE, 1.0)])
    found = series.read_all(["b", "none", "a"], NOW - timedelta(hours=1), NOW)
    assert {name: columns.values for name, columns in found.items()} == {"b": (9.0,), "a": (2.0,)}


def test_an_unknown_series_is_empty() -> None:
    assert series.read("none", NOW - DAY, NOW) == series.Columns()
    assert not series.known("none")


def test_points_of_ten_seconds_write_nothing_to_the_disk(settings: Any) -> None:
    series.record([Point("a", MINUTE - 10, 1.0)])
    kept = [Path(f"{settings.NASWEB_SERIES}{end}").read_bytes() for end in ("", "-wal")]
    series.record([Point("a", MINUTE, 2.0)])
    assert [Path(f"{settings.NASWEB_SERIES}{end}").read_bytes() for end in ("", "-wal")] == kept


def test_a_month_is_read_in_means_of_a_minute_and_the_same_before_and_after_they_are_written() -> None:
    fill("a", seconds=120)
    before = series.read("a", NOW - 3 * DAY, NOW)
    assert before.times == (MINUTE - 120, MINUTE - 60, MINUTE)
    assert before.values == (9.5, 3.5, 0.0)
    assert before.lows == before.highs == before.values
    series.flush(NOW)
    after = series.read("a", NOW - 3 * DAY, NOW)
    assert after == before
    assert counts() == {"minutes": 2, "hours": 0}


def test_years_are_read_by_the_hour_with_their_extremes() -> None:
    yesterday = MINUTE - MINUTE % DAY_S - DAY_S
    series.record(Point("a", yesterday + 60 * n, float(n)) for n in range(120))
    before = series.read("a", NOW - 700 * DAY, NOW)
    series.flush(NOW)
    columns = series.read("a", NOW - 700 * DAY, NOW)
    assert columns.times == before.times == (yesterday, yesterday + 3600)
    assert columns.values == before.values == (29.5, 89.5)
    assert (columns.lows, columns.highs) == ((0.0, 60.0), (59.0, 119.0))


def test_flushing_twice_changes_nothing_and_later_points_join() -> None:
    fill("a", seconds=120)
    series.flush(NOW)
    series.flush(NOW)
    fill("a", seconds=50, until=MINUTE + 110)
    series.flush(NOW + timedelta(minutes=2))
    means = series.read("a", NOW - 3 * DAY, NOW + timedelta(minutes=2))
    assert means.times == (MINUTE - 120, MINUTE - 60, MINUTE, MINUTE + 60)
    assert list(means.values) == pytest.approx([9.5, 3.5, 0.0, 2.5])


def test_what_memory_has_lost_is_read_from_the_file(settings: Any) -> None:
    fill("a", seconds=600)
    series.flush(NOW)
    Path(settings.NASWEB_RECENT).unlink()  # the machine was restarted
    series.record([Point("a", MINUTE, 7.0)])
    columns = series.read("a", NOW - timedelta(minutes=5), NOW)
    assert columns.times == (*range(MINUTE - 300, MINUTE, 60), MINUTE)
    assert columns.values[-1] == 7.0


def test_slots_are_used_again_after_a_day_and_what_was_in_them_is_gone() -> None:
    fill("a", seconds=600)
    later = MINUTE + SLOTS * 10
    series.record([Point("a", later - 300, 5.0)])
    assert MINUTE - 300 not in series.read("a", NOW - timedelta(minutes=10), NOW).times
    assert len(series.read("a", NOW - timedelta(minutes=10), NOW).times) == 60


def _days(table: str, name: str) -> int:
    """On how many days something is kept of a series."""
    column = "hour - hour % 86400" if table == "minutes" else "day"
    with opened() as file:
        query = f"SELECT count(DISTINCT {column}) FROM {table} JOIN series ON id = series WHERE name = ?"
        return int(file.execute(query, (name,)).fetchone()[0])


def test_minutes_go_after_a_month_of_days_and_hours_after_two_years_of_them() -> None:
    series.record(Point("a", MINUTE - back * DAY_S, 1.0) for back in (740, 741))
    series.record(Point("b", MINUTE - back * DAY_S, 1.0) for back in range(2, 31))
    series.flush(NOW)
    assert (_days("minutes", "a"), _days("hours", "a")) == (2, 2)
    series.record(Point("b", MINUTE - back * DAY_S, 1.0) for back in (31, 32))
    series.flush(NOW + DAY)
    assert (_days("minutes", "a"), _days("hours", "a"), _days("minutes", "b")) == (0, 2, 31)
    series.record(Point("b", MINUTE - back * DAY_S, 1.0) for back in range(33, 740))
    series.flush(NOW + 2 * DAY)
    assert (_days("hours", "b"), series.known("a")) == (731, False)


def test_a_clock_that_was_years_ahead_for_days_ends_no_history() -> None:
    fill("a", seconds=3 * DAY_S, step=3600)
    series.flush(NOW)
    before = [series.read("a", NOW - days * DAY, NOW - DAY) for days in (3, 700)]
    for day in range(800, 804):
        series.record([Point("a", MINUTE + day * DAY_S, 1.0)])
        series.flush(NOW + day * DAY)
    series.flush(NOW)
    assert [series.read("a", NOW - days * DAY, NOW - DAY) for days in (3, 700)] == before


def test_a_clock_that_was_set_forward_and_back_by_a_day_loses_nothing_and_breaks_nothing() -> None:
    fill("a", seconds=600)
    fill("a", seconds=600, until=MINUTE + DAY_S)
    series.flush(NOW + DAY)
    fill("a", seconds=60, until=MINUTE + 60)
    series.flush(NOW + timedelta(minutes=2))
    times = series.read("a", NOW - timedelta(minutes=10), NOW + timedelta(minutes=1)).times
    assert times == tuple(range(MINUTE - 600, MINUTE + 61, 10))
    minutes = series.read("a", NOW - 3 * DAY, NOW + timedelta(minutes=1)).times
    assert minutes == tuple(range(MINUTE - 600, MINUTE + 61, 60))


def test_no_more_points_than_are_asked_for_in_spans_of_round_numbers() -> None:
    fill("a", seconds=3600)
    columns = series.read("a", NOW - timedelta(hours=1), NOW, most=100)
    assert 50 <= len(columns.times) <= 100
    assert {time % 60 for time in columns.times} == {0}
    assert (min(columns.lows), max(columns.highs)) == (0.0, 360.0)
    assert len(series.read("a", NOW - timedelta(hours=1), NOW, most=1).times) == 1


def test_the_newest_values_of_a_kind() -> None:
    series.record(
        [
            Point("disk.read_bytes:A", MINUTE - 600, 1.0),
            Point("disk.read_bytes:B", MINUTE - 60, 2.0),
            Point("disk.read_bytes:B", MINUTE, 3.0),
            Point("disk.read_bytes_other:C", MINUTE, 4.0),
            Point("disk.read_bytes", MINUTE, 5.0),
        ]
    )
    newest = series.newest(("disk.read_bytes",), since=NOW - timedelta(minutes=5))
    assert newest == {"disk.read_bytes:B": 3.0, "disk.read_bytes": 5.0}


def test_memory_that_belongs_to_a_file_that_is_gone_is_dropped(settings: Any) -> None:
    series.record([Point("a", MINUTE, 1.0)])
    for end in ("", "-wal", "-shm"):
        Path(f"{settings.NASWEB_SERIES}{end}").unlink()
    series.record([Point("b", MINUTE - 60, 2.0)])
    assert series.read("b", NOW - timedelta(hours=1), NOW).values == (2.0,)


def test_a_torn_or_foreign_file_in_memory_is_no_harm(settings: Any) -> None:
    path = Path(settings.NASWEB_RECENT)
    path.write_bytes(os.urandom(70_001))
    assert series.newest(("a",), since=NOW) == {}
    series.record([Point("a", MINUTE, 1.0)])
    os.truncate(path, path.stat().st_size - 3)
    assert series.read("a", NOW, NOW).times == ()


def test_console_and_worker_may_both_write_the_file(settings: Any) -> None:
    series.record([Point("a", MINUTE, 1.0)])
    mode = stat.S_IMODE(Path(settings.NASWEB_SERIES).stat().st_mode)
    assert mode & 0o600 == 0o600 and mode & 0o007 == 0
    assert stat.S_IMODE(Path(settings.NASWEB_RECENT).stat().st_mode) & 0o027 == 0


def test_a_file_that_is_no_database_any_more_is_put_aside_and_a_new_one_begins(settings: Any) -> None:
    path = Path(settings.NASWEB_SERIES)
    path.write_bytes(b"x" * 9000)
    assert not series.known("a")
    series.record([Point("a", MINUTE, 1.0)])
    assert series.read("a", NOW, NOW).values == (1.0,)
    assert path.with_suffix(".damaged").read_bytes() == b"x" * 9000


@pytest.mark.parametrize("kind", ["page", "blob"])
def test_a_file_that_is_damaged_inside_ends_no_page_and_a_new_one_begins(settings: Any, kind: str) -> None:
    fill("a", seconds=7200)
    series.flush(NOW)
    path = Path(settings.NASWEB_SERIES)
    with closing(sqlite3.connect(path)) as file:
        if kind == "blob":
            file.execute("UPDATE minutes SET packed = x'00112233'")
        file.commit()
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = file.execute("PRAGMA page_size").fetchone()
    if kind == "page":
        data = path.read_bytes()
        path.write_bytes(data[:size] + b"\xff" * (len(data) - size))
    long_ago = NOW - timedelta(days=20)
    assert series.read("a", long_ago, NOW) == Columns()
    assert path.with_suffix(".damaged").exists()
    series.record([Point("a", MINUTE, 1.0)])
    assert series.read("a", NOW, NOW).values == (1.0,)
    series.flush(NOW)


def test_a_file_that_is_busy_is_not_called_damaged(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: Any) -> Any:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    series.record([Point("a", MINUTE, 1.0)])
    monkeypatch.setattr(recent, "read", busy)
    with pytest.raises(sqlite3.OperationalError):
        series.read("a", NOW, NOW)
    assert Path(settings.NASWEB_SERIES).exists()


def test_a_broken_transaction_leaves_nothing() -> None:
    with pytest.raises(ZeroDivisionError), opened() as file:
        file.execute("INSERT INTO series (name) VALUES ('a')")
        raise ZeroDivisionError
    assert not series.known("a")


def test_flushing_is_not_undone_by_another_that_writes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    fill("a", seconds=600)
    spans = stored.spans

    def interrupting(*given: Any) -> Any:
        with closing(sqlite3.connect(settings.NASWEB_SERIES, timeout=0)) as other, suppress(sqlite3.Error):
            other.execute("INSERT INTO series (name) VALUES ('b')")
            other.commit()
        return spans(*given)

    monkeypatch.setattr(stored, "spans", interrupting)
    series.flush(NOW)
    assert counts()["minutes"] == 10


def test_a_file_of_the_first_version_is_taken_over(settings: Any) -> None:
    first = MINUTE - MINUTE % 3600
    with closing(sqlite3.connect(settings.NASWEB_SERIES)) as old:
        old.executescript(
            "CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
            "CREATE TABLE raw (series INTEGER, time INTEGER, value REAL);"
            "CREATE TABLE five (series INTEGER, time INTEGER, mean REAL, low REAL, high REAL);"
            "CREATE TABLE hour (series INTEGER, time INTEGER, mean REAL, low REAL, high REAL);"
            "CREATE TABLE thinned (step INTEGER PRIMARY KEY, until INTEGER NOT NULL);"
            "INSERT INTO series VALUES (7, 'disk.temperature:A'); PRAGMA user_version=1;"
        )
        old.executemany(
            "INSERT INTO hour VALUES (7, ?, 30, 29, 31)", [(first - n * 3600,) for n in range(2000)]
        )
        old.executemany(
            "INSERT INTO five VALUES (7, ?, 35, 35, 35)", [(first - n * 300,) for n in range(1, 20)]
        )
        old.execute("INSERT INTO raw VALUES (7, ?, 36)", (first + 5,))
        old.commit()
    series.flush(NOW)
    long_ago = series.read("disk.temperature:A", NOW - 80 * DAY, NOW - 60 * DAY)
    assert len(long_ago.times) in {480, 481} and set(long_ago.values) == {30.0}
    late = series.read("disk.temperature:A", NOW - 2 * DAY, NOW)
    assert late.values[-2:] == (35.0, 36.0)


def test_time_is_read_from_the_machine_once_for_all_points() -> None:
    """A generator is taken, and points from the future are not lost."""
    series.record(Point("a", int(time.time()) + back, 1.0) for back in (0, 3600))
    assert len(series.read("a", NOW, NOW + timedelta(hours=2)).times) == 2


def test_memory_of_what_is_older_than_a_day_is_given_back() -> None:
    path, store = Path(settings.NASWEB_RECENT), "s"
    long_ago, edge = MINUTE - 3 * DAY_S, MINUTE - DAY_S
    recent.write(store, [(1, long_ago + 10 * step, 1.0) for step in range(SLOTS)])  # rests since
    recent.write(store, [(2, long_ago + DAY_S * day, float(day)) for day in range(4)])  # once a day
    recent.write(store, [(3, edge + 10 * step, 3.0) for step in range(1, DAY_S // 10 + 1)])
    before, rows = path.stat().st_blocks, recent.read(store, (1, 2, 3), edge + 10, MINUTE)
    recent.compact(store, edge)
    assert recent.read(store, (1, 2, 3), edge + 10, MINUTE) == rows
    assert {number: len(points) for number, points in rows.items()} == {2: 1, 3: DAY_S // 10}
    assert path.stat().st_blocks < before * 0.6
    recent.write(store, [(1, MINUTE, 5.0)])
    assert recent.read(store, (1,), edge, MINUTE) == {1: [(MINUTE, 5.0)]}
    assert stat.S_IMODE(path.stat().st_mode) & 0o777 == 0o640

"""Time series: fine for the last days, coarse for the last years, and never many."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from jobs import series
from jobs.series import Point, writing
from jobs.series.file import opened
from jobs.series.values import KEPT_S

NOW = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
HOUR = int(NOW.timestamp())


def fill(name: str, *, seconds: int, step: int = 60, until: int = HOUR) -> None:
    """A point every `step` seconds up to `until`, whose value is its distance from it in steps."""
    series.record(Point(name, until - back, float(back // step)) for back in range(seconds, -1, -step))


def counts() -> dict[str, int]:
    with opened() as file:
        return {
            table: file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("raw", "five", "hour")
        }


def test_what_was_recorded_is_read_back_in_order() -> None:
    series.record([Point("a", HOUR, 2.0), Point("a", HOUR - 60, 1.0), Point("b", HOUR, 9.0)])
    columns = series.read("a", NOW - timedelta(hours=1), NOW)
    assert (columns.times, columns.values) == ((HOUR - 60, HOUR), (1.0, 2.0))
    assert columns.lows == columns.highs == columns.values


def test_the_log_stays_when_a_point_was_recorded(settings: Any) -> None:
    series.record([Point("a", HOUR, 1.0)])
    log = Path(f"{settings.NASWEB_SERIES}-wal")
    before = log.stat()
    series.record([Point("a", HOUR + 60, 2.0)])
    after = log.stat()
    assert (after.st_ino, after.st_size > before.st_size > 0) == (before.st_ino, True)


class Interrupting(dict[int, Any]):
    """Lengths to thin to; as they are gone through, another connection tries to write, and does not wait."""

    def items(self) -> Any:
        with closing(sqlite3.connect(settings.NASWEB_SERIES, timeout=0)) as other, suppress(sqlite3.Error):
            other.execute("INSERT INTO series (name) VALUES ('b')")
            other.commit()
        return super().items()


def test_thinning_is_not_undone_by_a_point_that_comes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    fill("a", seconds=3600)
    monkeypatch.setattr(writing, "KEPT_S", Interrupting(KEPT_S))
    series.thin(NOW)
    assert counts() == {"raw": 61, "five": 12, "hour": 1}


def test_a_second_value_at_one_time_takes_the_place_of_the_first() -> None:
    series.record([Point("a", HOUR, 2.0)])
    series.record([Point("a", HOUR, 3.0)])
    assert series.read("a", NOW, NOW).values == (3.0,)


def test_an_unknown_series_is_empty() -> None:
    assert series.read("none", NOW - timedelta(days=1), NOW) == series.Columns()
    assert not series.known("none")


def test_a_month_is_read_in_means_of_five_minutes_with_their_extremes() -> None:
    fill("a", seconds=600)
    series.thin(NOW)
    columns = series.read("a", NOW - timedelta(days=3), NOW)
    assert columns.times == (HOUR - 600, HOUR - 300, HOUR)
    assert columns.values == (8.0, 3.0, 0.0)
    assert (columns.lows[:2], columns.highs[:2]) == ((6.0, 1.0), (10.0, 5.0))


def test_years_are_read_by_the_hour() -> None:
    fill("a", seconds=7200)
    series.thin(NOW)
    columns = series.read("a", NOW - timedelta(days=700), NOW)
    assert columns.times == (HOUR - 7200, HOUR - 3600, HOUR)
    assert columns.values == (90.5, 30.5, 0.0)


def test_means_are_the_same_before_and_after_thinning() -> None:
    fill("a", seconds=1800)
    before = series.read("a", NOW - timedelta(days=3), NOW)
    series.thin(NOW)
    assert series.read("a", NOW - timedelta(days=3), NOW) == before


def test_thinning_twice_changes_nothing_and_later_points_join() -> None:
    fill("a", seconds=600)
    series.thin(NOW)
    series.thin(NOW)
    fill("a", seconds=240, until=HOUR + 300)
    series.thin(NOW + timedelta(minutes=10))
    means = series.read("a", NOW - timedelta(days=3), NOW + timedelta(minutes=10))
    assert means.times == (HOUR - 600, HOUR - 300, HOUR, HOUR + 300)
    assert list(means.values) == pytest.approx([8.0, 3.0, 2.0, 0.0])


def test_raw_points_go_after_two_days_and_never_before_their_means_are_made() -> None:
    fill("a", seconds=3 * 86_400, step=3600)
    series.thin(NOW)
    assert counts() == {"raw": 49, "five": 72, "hour": 72}
    series.thin(NOW + timedelta(days=40))
    assert counts() == {"raw": 0, "five": 0, "hour": 73}
    series.thin(NOW + timedelta(days=800))
    assert counts() == {"raw": 0, "five": 0, "hour": 0}


def test_a_machine_that_was_off_for_long_loses_nothing() -> None:
    fill("a", seconds=7200)
    series.thin(NOW + timedelta(days=20))
    assert counts()["raw"] == 0
    with opened() as file:
        assert file.execute("SELECT count(*) FROM hour").fetchone()[0] == 3


def test_the_newest_values_of_a_kind() -> None:
    series.record(
        [
            Point("disk.read_bytes:A", HOUR - 600, 1.0),
            Point("disk.read_bytes:B", HOUR - 60, 2.0),
            Point("disk.read_bytes:B", HOUR, 3.0),
            Point("disk.read_bytes_other:C", HOUR, 4.0),
        ]
    )
    newest = series.newest(("disk.read_bytes",), since=NOW - timedelta(minutes=5))
    assert newest == {"disk.read_bytes:B": 3.0}


def test_console_and_worker_may_both_write_the_file(settings: Any) -> None:
    series.record([Point("a", HOUR, 1.0)])
    mode = stat.S_IMODE(Path(settings.NASWEB_SERIES).stat().st_mode)
    assert mode & 0o600 == 0o600 and mode & 0o007 == 0


def test_a_broken_transaction_leaves_nothing() -> None:
    with pytest.raises(ZeroDivisionError), opened() as file:
        file.execute("INSERT INTO series (name) VALUES ('a')")
        raise ZeroDivisionError
    assert not series.known("a")

"""What a replica keeps by its own retention."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from host.commands.replication.task import ReplicaRetention
from host.replication.retention import expired
from host.replication.sides import Point

NOW = datetime(2026, 11, 25, 12, 30, tzinfo=UTC)


def made(*ages: timedelta) -> list[tuple[Point, int]]:
    """Snapshots of these ages, oldest first; the newest has the largest transaction."""
    ordered = sorted(ages, reverse=True)
    return [
        (Point(name=f"s{index}", guid=str(index + 1), createtxg=index + 1), int((NOW - age).timestamp()))
        for index, age in enumerate(ordered)
    ]


def left(times: list[tuple[Point, int]], **wanted: int) -> list[str]:
    newest = max(times, key=lambda one: one[0].createtxg)[0].guid
    gone = {point.name for point in expired(times, ReplicaRetention(**wanted), newest, NOW.timestamp())}
    return [point.name for point, _ in times if point.name not in gone]


def test_the_last_of_each_hour_and_day_stay() -> None:
    hours = made(*(timedelta(hours=number) for number in range(49)))
    assert len(left(hours, hourly=3)) == 3
    # s48 is of now, 12:30; the last one of yesterday was made at 23:30.
    assert left(hours, hourly=2, daily=2) == ["s35", "s47", "s48"]


def test_a_target_that_was_away_keeps_as_many_as_before() -> None:
    old = made(*(timedelta(days=400 + number) for number in range(10)), timedelta(0))
    assert len(left(old, daily=5)) == 5


def test_the_newest_and_those_of_the_future_stay() -> None:
    times = made(timedelta(days=9), timedelta(days=8), timedelta(hours=-3))
    assert left(times, hourly=1) == ["s1", "s2"]


def test_what_came_after_the_newest_common_one_is_not_its_own_to_delete() -> None:
    times = made(timedelta(hours=3), timedelta(hours=2), timedelta(hours=1))
    gone = expired(times, ReplicaRetention(yearly=1), "2", NOW.timestamp())
    assert [point.name for point in gone] == ["s0"]


def test_to_keep_nothing_is_no_retention() -> None:
    with pytest.raises(ValueError, match="keep nothing"):
        ReplicaRetention()

"""Days until full: a line through the days, with an honest range."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alerts.doctor.trend import FEWEST_DAYS, until_full

DAY = 86_400


def series(values: list[float]) -> tuple[list[int], list[float]]:
    return [day * DAY + 3600 for day in range(len(values))], values


def test_a_straight_line_is_exact() -> None:
    trend = until_full(*series([10.0 * day for day in range(10)]), room_bytes=500.0)
    assert trend is not None
    assert (trend.bytes_per_day, trend.earliest_days, trend.latest_days, trend.seen_days) == (10, 50, 50, 10)


def test_nothing_is_said_before_a_week() -> None:
    assert until_full(*series([1.0] * (FEWEST_DAYS - 1)), room_bytes=1) is None
    hours = [hour * 3600 for hour in range(100)]
    assert until_full(hours, [float(hour) for hour in hours], room_bytes=1) is None  # not five days


def test_what_does_not_grow_is_never_full() -> None:
    trend = until_full(*series([100.0] * 30), room_bytes=10)
    assert trend is not None
    assert (trend.earliest_days, trend.latest_days) == (None, None)


def test_bursts_widen_the_range() -> None:
    values = [10.0 * day + (day * 37) % 101 for day in range(20)]
    trend = until_full(*series(values), room_bytes=1000)
    assert trend is not None and trend.earliest_days is not None and trend.latest_days is not None
    assert trend.earliest_days <= 1000 / trend.bytes_per_day <= trend.latest_days
    assert trend.latest_days / trend.earliest_days > 1.3


def test_noise_around_nothing_may_never_fill_it() -> None:
    values = [1e12 + (1e9 if day % 2 else -1e9) for day in range(10)]
    trend = until_full(*series(values), room_bytes=1e12)
    assert trend is not None
    assert trend.latest_days is None


def test_the_interval_is_the_one_of_the_textbook() -> None:
    # y = x with residues ±1, n = 8: 28 slopes. Sen's spread is 1.96 * sqrt(8 * 7 * 21 / 18) = 15.84, so
    # the ends are the slopes at places 6 and 22 of those in order.
    values = [float(day + (1 if day % 2 else -1)) for day in range(8)]
    slopes = sorted((values[b] - values[a]) / (b - a) for b in range(8) for a in range(b))
    trend = until_full(*series(values), room_bytes=100)
    assert trend is not None
    assert trend.bytes_per_day == 1.0
    assert trend.earliest_days == pytest.approx(100 / slopes[21])
    assert trend.latest_days == pytest.approx(100 / slopes[5])


def test_one_day_of_copying_is_no_trend() -> None:
    values = [1e12 + day * 1e6 + (5e12 if day >= 30 else 0) for day in range(60)]
    trend = until_full(*series(values), room_bytes=1e12)
    assert trend is not None
    assert trend.bytes_per_day < 1e11, "a line of least squares would say 1.2e11"
    steady = until_full(*series([1e12 + day * 1e9 + (4e11 if day == 20 else 0) for day in range(40)]), 1e12)
    assert steady is not None
    assert steady.bytes_per_day == pytest.approx(1e9, rel=0.01)
    assert steady.latest_days is not None and 900 < steady.latest_days < 1100


@given(st.lists(st.floats(0, 1e15), min_size=7, max_size=60), st.floats(1, 1e15))
def test_the_range_is_a_range(values: list[float], room: float) -> None:
    trend = until_full(*series(values), room_bytes=room)
    assert trend is not None
    if trend.latest_days is not None:
        assert trend.earliest_days is not None
        assert 0 <= trend.earliest_days <= trend.latest_days

"""What a disk counts over weeks and months."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest

from disks.trends import Counted, trends, wears_out

TODAY = date(2026, 11, 25)


def days(field: str, values: list[Any], *, every: int = 1) -> list[Counted]:
    """The last of the values is of today."""
    first = TODAY - timedelta(days=every * (len(values) - 1))
    return [
        Counted(day=first + timedelta(days=every * place), **{field: value})
        for place, value in enumerate(values)
    ]


def said(field: str, values: list[Any], *, every: int = 1) -> list[tuple[str, str]]:
    return [(one.code, one.words) for one in trends(days(field, values, every=every), TODAY)]


@pytest.mark.parametrize("field", ["reallocated", "pending", "uncorrectable", "crc", "wear", "spare"])
@pytest.mark.parametrize("values", [[], [0], [8] * 200, [None] * 20])
def test_what_does_not_move_is_no_trend(field: str, values: list[Any]) -> None:
    assert said(field, values) == []


def test_bad_sectors_that_rose_say_how_many_since_when() -> None:
    assert said("reallocated", [8] * 40 + [9, 12] + [20] * 18) == [
        ("sectors-rising", "20 reallocated sectors, 12 more since 2026-11-05")
    ]
    assert said("pending", [3, 0, 0, 1]) == [("sectors-rising", "1 pending sector, 1 more since 2026-11-24")]
    assert said("pending", [3, 3, 1]) == []


def test_a_rise_of_long_ago_is_no_news() -> None:
    assert said("reallocated", [8, 20] + [20] * 90) == []
    assert said("crc", [8, 20] + [20] * 30) == []


def test_crc_errors_that_rise_point_to_the_cable_and_not_to_the_disk() -> None:
    (trend,) = trends(days("crc", [100] * 10 + [140]), TODAY)
    assert (trend.code, trend.words) == ("crc-rising", "40 new CRC errors since 2026-11-24, 140 in all")
    assert "not the disk" in trend.advice


def test_wear_has_a_month_where_enough_is_known() -> None:
    steady = days("wear", [60 + week // 2 for week in range(52)], every=7)
    end = wears_out(steady, TODAY)
    assert end is not None and abs(end.percent_a_year - 26) < 1
    assert end.day.strftime("%Y-%m") == "2027-06"
    (trend,) = trends(steady, TODAY)
    assert trend.words.startswith("85 % of the rated endurance is used, 26 % more a year: all of it about ")
    assert trend.severity == "advice"


def test_of_slow_wear_nothing_is_said() -> None:
    assert said("wear", [2 + week // 26 for week in range(104)], every=7) == []


@pytest.mark.parametrize(
    "values",
    [
        [60, 61, 62, 63, 64],  # too few
        [60, 60, 60, 61, 61, 61, 61, 61, 62, 62],  # too little of a rise
        [80, 70, 60, 50, 40, 30, 20, 10, 10, 10],  # another disk under its name
    ],
)
def test_of_too_little_no_month_is_told(values: list[int]) -> None:
    assert wears_out(days("wear", values, every=7), TODAY) is None


def test_some_odd_weeks_do_not_move_the_month() -> None:
    dice = random.Random(7)
    clean = [40 + week // 2 for week in range(60)]
    odd = [value if dice.random() > 0.15 else dice.randint(0, 100) for value in clean[:-1]] + clean[-1:]
    told = [wears_out(days("wear", values, every=7), TODAY) for values in (clean, odd)]
    assert told[0] is not None and told[1] is not None
    assert abs((told[0].day - told[1].day).days) <= 30


def test_spare_blocks_that_go_are_told() -> None:
    assert said("spare", [100, 100, 99, 96]) == [
        ("spare-falling", "96 % of the spare blocks are left, 4 % less than on 2026-11-23")
    ]
    assert said("spare", [100, 99, 98]) == []

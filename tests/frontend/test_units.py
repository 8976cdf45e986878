"""Sizes and times in words."""

from __future__ import annotations

import pytest

from frontend import units
from jobs.wording import counted


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1024, "1.00 KiB"),
        (1023 * 1024, "1.00 MiB"),
        (3_000_592_982_016, "2.73 TiB"),
        (15_847_120_699_392, "14.4 TiB"),
        (102 * 4_000_787_030_016, "371 TiB"),
        (1 << 70, "1024 EiB"),
    ],
)
def test_a_size_has_three_digits_that_count(size: int, said: str) -> None:
    assert units.binary(size) == said


def test_the_tooltip_has_the_label_of_the_disk_and_every_byte() -> None:
    assert units.exact(3_000_592_982_016) == "3.00 TB, 3\u00a0000\u00a0592\u00a0982\u00a0016 bytes"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "just now"), (1, "1 s ago"), (90, "1 min ago"), (7200, "2 h ago"), (200_000, "2 d ago")],
)
def test_an_age_has_one_unit(seconds: int, said: str) -> None:
    assert units.age(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "off now"), (39.2, "off in 40 s"), (100, "off in 2 min"), (299, "off in 5 min")],
)
def test_a_light_says_how_long_it_stays_on(seconds: float, said: str) -> None:
    assert units.left(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (59, "59 s"), (5400, "1 h 30 min"), (3605, "1 h"), (90_061, "1 d 1 h"), (86_400, "1 d")],
)
def test_a_span_has_two_neighbouring_units_at_most(seconds: int, said: str) -> None:
    assert units.span(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(5, "≈ 1 min"), (600, "≈ 10 min"), (28_800, "≈ 8 h"), (129_600, "≈ 36 h"), (400_000, "≈ 5 d")],
)
def test_an_estimate_has_one_unit(seconds: int, said: str) -> None:
    assert units.roughly(seconds) == said


def test_a_time_without_zone_counts_as_utc() -> None:
    found = units.moment("2026-11-21T12:00:00")
    assert found is not None
    assert found.isoformat() == "2026-11-21T12:00:00+00:00"


def test_one_is_singular() -> None:
    assert (counted(1, "disk"), counted(0, "disk")) == ("1 disk", "0 disks")
    assert counted(2, "property", "properties") == "2 properties"
    assert (counted(1000, "file"), counted(29_039, "file")) == ("1000 files", "29\u00a0039 files")

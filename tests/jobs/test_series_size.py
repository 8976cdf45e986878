"""How large series become, and what is left of a value that was packed."""

from __future__ import annotations

import math
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.series.packed import NOTHING, pack, unpack
from jobs.series.values import DAY_S, HOURS_KEPT_S, MINUTES_KEPT_S

_OF_A_DISK = 8
_ROW = 24  # what SQLite adds to each row, with the share of a page that is left free


def test_a_disk_takes_less_than_3_mib_after_two_years_whatever_was_measured() -> None:
    noise = random.Random(1)
    hour = len(pack([noise.uniform(0, 1e9) for _ in range(60)]))
    day = len(pack([noise.uniform(0, 1e9) for _ in range(72)]))
    one = (hour + _ROW) * MINUTES_KEPT_S // 3600 + (day + _ROW) * HOURS_KEPT_S // DAY_S
    assert 2 << 20 < _OF_A_DISK * one < 3 << 20


def test_what_hardly_moves_takes_next_to_nothing() -> None:
    assert len(pack([0.0] * 60)) < 24
    assert len(pack([34.0] * 30 + [35.0] * 30)) < 32


@given(st.lists(st.floats(width=32, allow_nan=False), max_size=80))
def test_a_value_keeps_four_digits(values: list[float]) -> None:
    for before, after in zip(values, unpack(pack(values)), strict=True):
        assert after == before or math.isclose(after, before, rel_tol=2**-15, abs_tol=1e-37)


def test_where_nothing_was_measured_nothing_comes_back() -> None:
    found = unpack(pack([1.0, NOTHING, 3.0]))
    assert [found[0], found[2]] == [1.0, 3.0] and math.isnan(found[1])


@pytest.mark.parametrize("used", [1.2e13, 4.7e9])
def test_bytes_of_a_pool_are_known_well_enough_for_a_trend(used: float) -> None:
    assert unpack(pack([used]))[0] == pytest.approx(used, rel=1e-4)


def test_a_few_bytes_never_unpack_to_much() -> None:
    assert len(unpack(zlib.compress(bytes(50_000_000)))) <= 1024

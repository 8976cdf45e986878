"""Chances of survival against counting all sets of failures."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pools.advice.survival import Tolerance, chance, surely, tolerances

VDEVS = st.lists(
    st.integers(1, 5).flatmap(lambda disks: st.builds(Tolerance, st.just(disks), st.integers(0, disks))),
    min_size=1,
    max_size=3,
)


def counted(vdevs: list[Tolerance], failures: int) -> float:
    """Every set of that many disks, looked at one by one."""
    disks = [index for index, vdev in enumerate(vdevs) for _ in range(vdev.disks)]
    sets = list(combinations(range(len(disks)), failures))
    alive = sum(
        all(sum(disks[lost] == index for lost in gone) <= vdev.failures for index, vdev in enumerate(vdevs))
        for gone in sets
    )
    return alive / len(sets)


@given(VDEVS, st.integers(0, 6))
def test_the_formula_equals_counting_every_set(vdevs: list[Tolerance], failures: int) -> None:
    if failures <= sum(vdev.disks for vdev in vdevs):
        assert chance(vdevs, failures) == pytest.approx(counted(vdevs, failures))
    else:
        assert chance(vdevs, failures) == 0


@given(VDEVS)
def test_more_failures_are_never_survived_more_often(vdevs: list[Tolerance]) -> None:
    chances = [chance(vdevs, failures) for failures in range(8)]
    assert all(0 <= one <= 1 for one in chances)
    assert chances == sorted(chances, reverse=True)
    assert all(one == 1 for one in chances[: surely(vdevs) + 1])


def test_four_pairs_survive_a_second_failure_six_times_in_seven() -> None:
    assert chance(tolerances("mirror", 2) * 4, 2) == pytest.approx(6 / 7)


def test_a_stripe_loses_the_pool_with_any_of_its_disks() -> None:
    assert tolerances("stripe", 3) == (Tolerance(1, 0),) * 3
    assert chance(tolerances("stripe", 3), 1) == 0


def test_a_draid_survives_what_its_parity_does() -> None:
    assert tolerances("draid3:8d:24c:2s", 24) == (Tolerance(24, 3),)

"""Whether ZFS's cache should be larger, by figures."""

from __future__ import annotations

from typing import Any

import pytest

from host.inventory import ArcBounds
from machine.arc.advice import advice
from machine.arc.figures import ArcFigures

GIB = 1 << 30
BOUNDS = ArcBounds(max_bytes=7 * GIB, min_bytes=GIB // 4)


def codes(**figures: Any) -> list[str]:
    known: dict[str, Any] = {"memory_bytes": 8 * GIB, "live": BOUNDS, "size_bytes": 7 * GIB}
    return [one.code for one in advice(ArcFigures(**(known | figures)))]


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        ({}, ["not-measured"]),
        ({"hit_percent": {"day": 97.0}}, ["well-served"]),
        ({"hit_percent": {"day": 92.0}, "ghost_hits": 50.0}, []),
        ({"hit_percent": {"day": 60.0}, "ghost_hits": 50.0}, ["larger-helps"]),
        ({"hit_percent": {"day": 60.0}, "ghost_hits": 1.0}, []),  # read once: no cache would help
        ({"hit_percent": {"day": 60.0}, "ghost_hits": 50.0, "size_bytes": 3 * GIB}, ["not-filled"]),
        ({"hit_percent": {"day": 97.0}, "size_bytes": GIB}, ["well-served", "not-filled"]),
        ({"hit_percent": {"day": 97.0}, "pressure_percent": 8.0}, ["short-of-memory", "well-served"]),
        ({"hit_percent": {"day": 97.0}, "swap_bytes": 0.5 * GIB}, ["short-of-memory", "well-served"]),
        ({"live": None, "size_bytes": None}, []),
    ],
)
def test_it_says_what_the_figures_say(figures: dict[str, Any], expected: list[str]) -> None:
    assert codes(**figures) == expected


def test_a_larger_cache_is_not_advised_to_who_is_short_of_memory() -> None:
    found = advice(
        ArcFigures(
            memory_bytes=8 * GIB, live=BOUNDS, size_bytes=7 * GIB, hit_percent={"day": 60.0},
            ghost_hits=50.0, pressure_percent=9.0,
        )
    )  # fmt: skip
    assert [one.code for one in found] == ["short-of-memory", "larger-helps"]
    assert "Raise the maximum" not in found[1].words

"""Periodic work takes a share of the time at most, however slow the machine is."""

from __future__ import annotations

import pytest

from jobs.schedules.pace import Pace


class Clock:
    """Goes on by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_s(self, seconds: float) -> None:
        self.now += seconds


def test_it_rests_four_times_as_long_as_it_took() -> None:
    clock = Clock()
    pace = Pace(clock, rest=4, most_s=60)
    assert pace.run(lambda: clock.pass_s(10))
    for _ in range(2):
        clock.pass_s(15)
        assert not pace.run(pytest.fail)
    clock.pass_s(10)
    assert pace.run(lambda: clock.pass_s(0.2))
    clock.pass_s(15)  # of a quick machine every tick finds it rested
    assert pace.run(lambda: None)


def test_it_rests_no_longer_than_its_most() -> None:
    clock = Clock()
    pace = Pace(clock, rest=4, most_s=60)
    assert pace.run(lambda: clock.pass_s(50))
    clock.pass_s(59)
    assert not pace.run(pytest.fail)
    clock.pass_s(1)
    assert pace.run(lambda: None)


def test_what_fails_rests_as_well() -> None:
    clock = Clock()
    pace = Pace(clock, rest=4, most_s=60)

    def broken() -> None:
        clock.pass_s(5)
        raise OSError

    with pytest.raises(OSError, match=r"\A\Z"):
        pace.run(broken)
    clock.pass_s(19)
    assert not pace.run(pytest.fail)
    clock.pass_s(1)
    assert pace.run(lambda: None)


def test_nobody_begins_beside_another() -> None:
    pace = Pace(Clock(), rest=4, most_s=60)
    inner = []
    assert pace.run(lambda: inner.append(pace.run(pytest.fail)))
    assert inner == [False]

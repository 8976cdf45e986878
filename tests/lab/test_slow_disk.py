"""A disk that becomes slow in a pool under load is named by its bay; its healthy siblings never are."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab, bay_of, small, until

pytestmark = [pytest.mark.drill, pytest.mark.measures]

_MEMBERS = (1, 2, 3, 4, 5, 6)
_RUNS = 10
_NAMED_S, _REPORTED_S = 300.0, 900.0
_FORGOTTEN_S = 360.0  # the page looks back five minutes
_REQUESTS_PER_S = 8  # a drive that tries its bad sectors again and again


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    with Machine(build_image(built_release()), DISKS) as nas:
        nas.boot()
        found = PoolLab(nas)
        found.create("tank", "raidz2", *_MEMBERS)
        found.console.do("POST", "datasets/", {"name": "tank/data"})
        found.start_load("/mnt/tank/data")
        yield found
        found.stop_load()


def named(lab: PoolLab) -> set[str]:
    """The bays of the disks that "What is slow?" names now."""
    titles = [one["title"] for one in lab.console.get("slow/")["results"] if one["code"] == "slow-disk"]
    return {title.split()[1] for title in titles}  # Bay B3 is far slower than …


def test_under_load_no_healthy_disk_is_named(lab: PoolLab) -> None:
    end = time.monotonic() + _FORGOTTEN_S

    def is_over() -> bool:
        assert named(lab) == set()
        return time.monotonic() >= end

    until(is_over, limit_s=_FORGOTTEN_S + _NAMED_S, every_s=15)


def test_each_slow_disk_is_named_within_five_minutes_and_reported_once(lab: PoolLab) -> None:
    before: set[str] = set()
    for run in range(_RUNS):
        slow = small(_MEMBERS[run % len(_MEMBERS)])
        bay = bay_of(slow)
        lab.machine.slow_down(slow.id, requests_per_s=_REQUESTS_PER_S)
        began = time.monotonic()

        def is_named(bay: str = bay, before: frozenset[str] = frozenset(before)) -> bool:
            now = named(lab)
            assert now <= {bay} | before, "a healthy disk is named"
            return bay in now

        seconds, _ = until(is_named, limit_s=_NAMED_S, every_s=5)
        print(f"\n  run {run + 1}: {bay} named after {seconds:.0f} s", flush=True)
        if run == 0:
            left = _REPORTED_S - (time.monotonic() - began)
            waited, alert = until(lambda: lab.alert("disk-slow"), limit_s=left, every_s=5)
            print(f"  reported {waited:.0f} s later: {alert['title']}", flush=True)
            assert bay in alert["title"]
        lab.machine.slow_down(slow.id, requests_per_s=None)
        before = {bay}
    # Of the others none was slow for ten minutes.
    kinds = [alert["kind"] for alert in lab.console.get("alerts/")["results"]]
    assert kinds.count("disk-slow") == 1

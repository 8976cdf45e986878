"""Which failures a pool survives: counted, not simulated."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from host.layouts import Layout, survives


class Tolerance(NamedTuple):
    """Disks of which any `failures` may fail at once; one more loses the pool."""

    disks: int
    failures: int


def tolerances(layout: Layout, disks: int) -> tuple[Tolerance, ...]:
    """Those of a vdev; a stripe is one for each disk.

    A dRAID counts as one: its blocks are spread so that nearly every set of more disks than its parity holds
    all of some block. A spare changes nothing here: all failures come before any rebuild has ended.
    """
    if layout == "stripe":
        return (Tolerance(1, 0),) * disks
    return (Tolerance(disks, survives(layout, disks)),)


def surely(vdevs: Sequence[Tolerance]) -> int:
    """As many disks may fail in any combination; 0 without any vdev."""
    return min((vdev.failures for vdev in vdevs), default=0)


def chance(vdevs: Sequence[Tolerance], failures: int) -> float:
    """The chance (0 to 1) that a pool lives when `failures` of its disks fail, each set equally likely.

    Counts the sets in which no vdev loses more than it tolerates: the product of the polynomials
    sum(comb(disks, k) x^k for k up to the tolerance), taken at x^failures.
    """
    total = sum(vdev.disks for vdev in vdevs)
    if failures > total:
        return 0.0
    ways = [1] + [0] * failures
    for vdev in vdevs:
        own = [comb(vdev.disks, lost) for lost in range(min(vdev.failures, failures) + 1)]
        ways = [
            sum(ways[number - lost] * count for lost, count in enumerate(own) if lost <= number)
            for number in range(failures + 1)
        ]
    return ways[failures] / comb(total, failures)

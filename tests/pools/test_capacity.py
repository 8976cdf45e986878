"""capacity/: what is told of a pool that is only thought of."""

from __future__ import annotations

import pytest

from jobs.plan import Refused
from pools.capacity import AskCapacity, ask, layouts
from pools.create_pool import NewVdev
from tests import made

SIX = tuple(made.disk(number) for number in range(1, 7))
IDS = tuple(disk.id for disk in SIX)


def test_six_disks_in_raidz2_survive_two_failures_and_no_third() -> None:
    found = ask(AskCapacity(vdevs=(NewVdev(layout="raidz2", disks=IDS),)), made.inventory(*SIX))
    assert (found.usable_bytes, found.survives, found.chance_of_surviving_next) == (
        11_842_399_240_192,
        2,
        0.0,
    )
    assert found.raw_bytes == 6 * made.WD_BYTES
    assert found.efficiency == 65.8


def test_four_mirrors_survive_a_second_failure_six_times_in_seven() -> None:
    mirrors = next(choice for choice in layouts([4 * 10**12] * 8) if choice.layout == "mirrors")
    assert mirrors.answer is not None
    assert (mirrors.answer.survives, mirrors.answer.chance_of_surviving_next) == (1, 85.7)


def test_layouts_that_cannot_be_say_why() -> None:
    found = {choice.layout: choice.why_not for choice in layouts([10**12] * 3)}
    assert found == {
        "mirrors": "needs an even number of disks", "raidz1": "", "raidz2": "needs 4 disks",
        "raidz3": "needs 5 disks", "stripe": "",
    }  # fmt: skip


def test_disks_in_use_can_be_asked_about_but_unknown_ones_not() -> None:
    machine = made.inventory(made.used(1, "md", "md member of md0"), *SIX[1:])
    assert ask(AskCapacity(vdevs=(NewVdev(layout="mirror", disks=IDS[:2]),)), machine).survives == 1
    with pytest.raises(Refused) as refused:
        ask(AskCapacity(vdevs=(NewVdev(layout="mirror", disks=(IDS[0], "x")),)), machine)
    assert [f.field for f in refused.value.findings] == ["vdevs[0].disks[1]", "vdevs[0].disks", "vdevs"]

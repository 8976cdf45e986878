"""capacity/: what is told of a pool that is only thought of."""

from __future__ import annotations

import pytest

from jobs.plan import Refused
from pools.advice.capacity import AskCapacity, ask
from pools.create_pool import NewVdev
from tests import made

SIX = tuple(made.disk(number) for number in range(1, 7))
IDS = tuple(disk.id for disk in SIX)


def test_six_disks_in_raidz2_survive_two_failures_and_no_third() -> None:
    found = ask(AskCapacity(vdevs=(NewVdev(layout="raidz2", disks=IDS),)), made.inventory(*SIX))
    assert (found.usable_bytes, found.survives) == (11_842_399_240_192, 2)
    assert (found.chance_of_surviving_next, found.chances_of_surviving) == (0.0, (100.0, 100.0, 0.0))
    assert found.raw_bytes == 6 * made.WD_BYTES
    assert (found.efficiency, found.small_block_efficiency) == (65.8, 66.6)


def test_a_rebuild_is_as_long_as_the_assumptions_say() -> None:
    found = ask(AskCapacity(vdevs=(NewVdev(layout="raidz2", disks=IDS),)), made.inventory(*SIX))
    assert found.rebuild_seconds == 30_006  # 3 000 592 982 016 bytes at 100 MB/s
    assert "100 MB/s" in found.rebuild_assumes


def test_a_special_vdev_adds_no_space_but_can_lose_the_pool() -> None:
    alone = NewVdev(layout="raidz2", disks=IDS[:4])
    special = NewVdev(role="special", layout="mirror", disks=IDS[4:])
    without, beside = (
        ask(AskCapacity(vdevs=vdevs), made.inventory(*SIX)) for vdevs in ((alone,), (alone, special))
    )
    assert (without.usable_bytes, without.raw_bytes) == (beside.usable_bytes, beside.raw_bytes)
    assert (without.survives, beside.survives) == (2, 1)
    assert beside.chances_of_surviving == (100.0, 93.3, 60.0)


def test_a_draid_counts_its_distributed_spares_out() -> None:
    disks = tuple(made.disk(number) for number in range(1, 13))
    ids = tuple(disk.id for disk in disks)
    whole, spare = (
        ask(AskCapacity(vdevs=(NewVdev(layout=layout, disks=ids),)), made.inventory(*disks))
        for layout in ("draid2:4d:12c:0s", "draid2:4d:12c:1s")
    )
    assert spare.usable_bytes / whole.usable_bytes == pytest.approx(11 / 12, rel=0.001)
    assert spare.rebuild_seconds < whole.rebuild_seconds
    assert (spare.survives, spare.chances_of_surviving[2]) == (2, 0.0)


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("draid2:4d:12c:1s", "12 disks or more"),
        ("draid1:2d:5c:0s", "for 5 disks"),
        ("draid2:5d", "needs 7 disks or more"),
    ],
)
def test_a_draid_that_cannot_be_is_refused_with_the_rule(layout: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        ask(AskCapacity(vdevs=(NewVdev(layout=layout, disks=IDS),)), made.inventory(*SIX))


def test_disks_in_use_can_be_asked_about_but_unknown_ones_not() -> None:
    machine = made.inventory(made.used(1, "md", "md member of md0"), *SIX[1:])
    assert ask(AskCapacity(vdevs=(NewVdev(layout="mirror", disks=IDS[:2]),)), machine).survives == 1
    with pytest.raises(Refused) as refused:
        ask(AskCapacity(vdevs=(NewVdev(layout="mirror", disks=(IDS[0], "x")),)), machine)
    assert [f.field for f in refused.value.findings] == ["vdevs[0].disks[1]", "vdevs[0].disks", "vdevs"]


def test_an_ashift_that_the_disks_cannot_have_is_refused() -> None:
    with pytest.raises(Refused, match="need ashift 12"):
        ask(AskCapacity(vdevs=(NewVdev(layout="raidz2", disks=IDS),), ashift=9), made.inventory(*SIX))

"""A special vdev is advised by what the blocks of a pool are, and "no" is an answer."""

from __future__ import annotations

import msgspec
import pytest

from host.blocks.values import Blocks, PoolBlocks, SmallBlocks
from host.inventory import Inventory, Vdev
from host.inventory.memory import ArcBounds, ArcLimit
from pools.metadata.advise import advise, redundancy, sizes, special_bytes
from tests import made

GIB = 1 << 30
COUNTED = PoolBlocks(
    run="0" * 16, pool="tank", started_at="", updated_at="", verdict="done",
    metadata=Blocks(count=1_000_000, stored_bytes=4 * GIB, allocated_bytes=24 * GIB),
    files=Blocks(count=8_000_000, stored_bytes=900 * GIB, allocated_bytes=1400 * GIB),
    small=(
        SmallBlocks(up_to_bytes=4096, count=262_144, stored_bytes=1 * GIB),
        SmallBlocks(up_to_bytes=8192, count=393_216, stored_bytes=2 * GIB),
    ),
)  # fmt: skip


def machine(
    kind: str = "raidz", medium: str = "hdd", cache: int = 4 * GIB, special: bool = False
) -> Inventory:
    disks = [made.disk(number, medium=medium) for number in range(1, 4)]
    children = tuple(
        Vdev(guid=f"1{number}", name=str(number), kind="disk", role="data", state="ONLINE", disk=disk.id)
        for number, disk in enumerate(disks)
    )
    name = {"raidz": "raidz2-0", "mirror": "mirror-0"}[kind]
    data = Vdev(guid="1", name=name, kind=kind, role="data", state="ONLINE", children=children)
    beside = (Vdev(guid="2", name="s", kind="disk", role="special", state="ONLINE"),) if special else ()
    pool = made.pool("tank", vdevs=(data, *beside), size_bytes=4000 * GIB, allocated_bytes=1000 * GIB)
    live = ArcLimit(live=ArcBounds(max_bytes=cache, min_bytes=0))
    return msgspec.structs.replace(made.inventory(*disks, pools=(pool,)), arc=live)


@pytest.mark.parametrize(
    ("there", "verdict", "words"),
    [
        (machine(), "helps", "read from turning disks again and again"),
        (machine(cache=8 * GIB), "does-little", "fits into half of the memory"),
        (machine(cache=8 * GIB - 1), "helps", "read from turning disks"),
        (machine(medium="ssd"), "does-little", "own SSDs find metadata as quickly"),
        (machine(special=True), "there", "since it was added"),
    ],
)
def test_it_helps_where_metadata_does_not_fit_into_memory(there: Inventory, verdict: str, words: str) -> None:
    found = advise(there.pools[0], there, COUNTED)
    assert found is not None and found.verdict == verdict and words in found.reason
    assert found.metadata_share == 0.024


def test_its_size_counts_two_copies_and_no_parity() -> None:
    assert special_bytes(COUNTED.metadata) == 8 * GIB  # not the 24 that RAIDZ2 takes
    assert special_bytes(Blocks(count=1, stored_bytes=4 * GIB, allocated_bytes=5 * GIB)) == 5 * GIB  # =some
    found = [(one.small_blocks, one.today_bytes // GIB, (one.full_bytes or 0) / GIB) for one in sizes(
        machine().pools[0], COUNTED
    )]  # fmt: skip
    assert found == [(0, 8, 32.0), (4096, 9, 48.0), (8192, 10, pytest.approx(53.33, abs=0.01))]


def test_little_does_not_tell_how_it_will_be_when_the_pool_is_full() -> None:
    pool = machine().pools[0]
    for allocated, full in ((40 * GIB, 800.0), (40 * GIB - 1, None), (0, None)):
        used = msgspec.structs.replace(pool, allocated_bytes=allocated)
        first = sizes(used, COUNTED)[0].full_bytes
        assert (first if first is None else first / GIB) == full


def test_nothing_follows_from_a_count_without_an_end() -> None:
    before = msgspec.structs.replace(COUNTED, metadata=Blocks(), small=(), verdict=None)
    there = machine()
    assert (advise(there.pools[0], there, before), sizes(there.pools[0], before)) == (None, ())


def test_it_is_as_redundant_as_the_data_and_stays_beside_raidz() -> None:
    lost = "The pool is lost with it: make it a mirror of"
    assert redundancy(machine("raidz").pools[0]) == (
        f"{lost} three SSDs. Beside RAIDZ it cannot be removed again."
    )
    assert redundancy(machine("mirror").pools[0]) == f"{lost} three SSDs."
    alone = made.pool("tank", vdevs=(Vdev(guid="1", name="a", kind="disk", role="data", state="ONLINE"),))
    assert redundancy(alone) == f"{lost} two SSDs."

"""Machines that the examples about pools are planned on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from host.benchmark.values import Benchmark
from host.blocks.values import PoolBlocks
from host.dedup.values import DedupEstimate
from host.inventory import (
    Absent,
    Dataset,
    Disk,
    Inventory,
    NfsShare,
    Schedule,
    Sharing,
    SmbShare,
    Vdev,
    leaves,
)
from jobs.plan import Plan
from pools.benchmark.see import QUESTION as BENCHMARK
from pools.benchmark.see import BenchmarkFound
from pools.dedup.see import QUESTION, DedupFound
from pools.members.newcomer import partition_bytes
from pools.metadata.see import QUESTION as METADATA
from pools.metadata.see import MetadataFound
from tests import made
from tests.frontend import machines

type Examples = tuple[Callable[[], Plan], ...]

MEMBER_BYTES = partition_bytes(made.disk(1))
SIX = tuple(made.disk(number) for number in range(1, 7))
NEW = made.disk(9)
SPARE = machines.in_pool(made.disk(7), "tank")


def ids(*disks: Disk) -> tuple[str, ...]:
    return tuple(disk.id for disk in disks)


def with_pool(inventory: Inventory, **changes: Any) -> Inventory:
    """`inventory` whose pool is changed."""
    pool = msgspec.structs.replace(inventory.pools[0], **changes)
    return msgspec.structs.replace(inventory, pools=(pool,))


def with_leaf(top: Vdev, place: int, **changes: Any) -> Vdev:
    """`top` whose member at `place` is changed."""
    children = list(top.children)
    children[place] = msgspec.structs.replace(children[place], **changes)
    return msgspec.structs.replace(top, children=tuple(children))


def beside(inventory: Inventory, *disks: Disk, tops: tuple[Vdev, ...] = ()) -> Inventory:
    """`inventory` with more disks, and with more vdevs in its pool."""
    more = msgspec.structs.replace(inventory, disks=(*inventory.disks, *disks))
    return with_pool(more, vdevs=(*more.pools[0].vdevs, *tops))


def filled(inventory: Inventory) -> Inventory:
    """`inventory` whose pool has its sizes, and is three fifths full."""
    return with_pool(inventory, vdevs=tuple(map(_filled, inventory.pools[0].vdevs)))


def _filled(top: Vdev) -> Vdev:
    total = MEMBER_BYTES * (len(top.children) if top.kind == "raidz" else 1)
    children = tuple(msgspec.structs.replace(leaf, size_bytes=MEMBER_BYTES) for leaf in top.children)
    size = 0 if children else MEMBER_BYTES
    return msgspec.structs.replace(
        top, children=children, size_bytes=size, total_bytes=total, allocated_bytes=total * 3 // 5
    )


def shared(inventory: Inventory) -> Inventory:
    """`inventory` with two datasets more, which are shared."""
    photos, media = made.dataset("tank/photos", mounted="yes"), made.dataset("tank/media", mounted="yes")
    smb = tuple(
        SmbShare(id=number, name=name, guid=dataset.guid, dataset=dataset.name)
        for number, (name, dataset) in enumerate((("Photos", photos), ("Media", media)))
    )
    nfs = (NfsShare(id=1, guid=media.guid, dataset=media.name),)
    datasets: tuple[Dataset, ...] = (*inventory.datasets, photos, media)
    return msgspec.structs.replace(inventory, datasets=datasets, sharing=Sharing(smb=smb, nfs=nfs))


def lost() -> Inventory:
    """`tank` whose disk in bay A3 was pulled, and a blank one in bay A9."""
    inventory = beside(filled(machines.degraded()), NEW)
    gone = next(leaf for leaf in leaves(inventory.pools[0].vdevs[0]) if leaf.state == "REMOVED")
    absent = Absent(
        id=gone.link, serial="WD-0003", model="WDC WD30EFRX", since="2026-11-21T12:00:00Z", bay="A3"
    )
    return with_pool(msgspec.structs.replace(inventory, gone=(absent,)), scan=None)


def with_spare(inventory: Inventory) -> Inventory:
    """`inventory` whose pool has a spare in bay A7."""
    spare = machines.leaf(SPARE, role="spare", state="AVAIL")
    return beside(inventory, SPARE, tops=(spare,))


def failed() -> Inventory:
    """`tank` whose disk in bay A2 is faulted."""
    whole = filled(machines.tank())
    top = with_leaf(whole.pools[0].vdevs[0], 1, state="FAULTED", write_errors=31)
    return with_pool(whole, vdevs=(msgspec.structs.replace(top, state="DEGRADED"),), state="DEGRADED")


def under(kind: str, **second: Any) -> Inventory:
    """`tank` whose disk in bay A2 has one in bay A7 beside it, in a vdev of that kind."""
    whole = failed()
    top = whole.pools[0].vdevs[0]
    old = top.children[1]
    new = machines.leaf(SPARE, **second)
    node = Vdev(guid="5", name=f"{kind}-1", kind=kind, role="data", state="DEGRADED", children=(old, new))
    tops = [msgspec.structs.replace(top, children=(top.children[0], node, *top.children[2:]))]
    if kind == "spare":
        tops.append(machines.leaf(SPARE, role="spare", state="INUSE"))
    return with_pool(
        msgspec.structs.replace(whole, disks=(*whole.disks, SPARE)), vdevs=tuple(tops), state="DEGRADED"
    )


MIRRORS = filled(machines.tank(width=2, vdevs=2, layout="mirror"))
TANK = filled(machines.tank())
A2 = machines.leaf(made.disk(2)).guid
A3 = machines.leaf(made.disk(3)).guid
A7 = machines.leaf(SPARE).guid
ALONE = beside(
    made.inventory(
        machines.in_pool(made.disk(1), "tank"), pools=(made.pool(vdevs=(machines.leaf(made.disk(1)),)),)
    ),
    made.disk(2),
)
EXPANDABLE = with_pool(
    filled(machines.tank(width=4, layout="raidz1")), properties={"feature@raidz_expansion": "enabled"}
)


def helper(role: str) -> Inventory:
    """`tank` with a log or cache of its own in bay A7."""
    return beside(MIRRORS, SPARE, tops=(machines.leaf(SPARE, role=role),))


def emptied() -> Inventory:
    """Two mirrors of which one has room for the other."""
    tops = tuple(msgspec.structs.replace(top, allocated_bytes=400 << 30) for top in MIRRORS.pools[0].vdevs)
    return with_pool(MIRRORS, vdevs=tops, properties={"feature@device_removal": "enabled"})


def grown() -> Inventory:
    """Two mirrors of which one has larger disks now."""
    first, second = MIRRORS.pools[0].vdevs
    larger = tuple(msgspec.structs.replace(leaf, size_bytes=2 * MEMBER_BYTES) for leaf in first.children)
    first = msgspec.structs.replace(first, children=larger, expandable_bytes=MEMBER_BYTES)
    return with_pool(MIRRORS, vdevs=(first, second))


def suspended() -> Inventory:
    """`tank` of which two disks in three have left."""
    tops = machines.tank(width=3, layout="raidz1")
    top = with_leaf(with_leaf(tops.pools[0].vdevs[0], 0, disk=None), 1, state="REMOVED", disk=None)
    return with_pool(tops, vdevs=(top,), state="SUSPENDED")


def wrong_link() -> Inventory:
    """`tank` that knows one of its disks by a kernel name."""
    top = with_leaf(TANK.pools[0].vdevs[0], 2, path="/dev/sdc1", name="/dev/sdc1")
    return with_pool(shared(TANK), vdevs=(top,))


def ssds(**changes: Any) -> Inventory:
    """A mirror of two SSDs that can be trimmed and initialized."""
    pool = machines.tank(width=2, layout="mirror")
    top = pool.pools[0].vdevs[0]
    children = tuple(msgspec.structs.replace(leaf, trims=True, **changes) for leaf in top.children)
    return with_pool(pool, vdevs=(msgspec.structs.replace(top, children=children),))


def pool_with(**changes: Any) -> Inventory:
    return with_pool(TANK, **changes)


GOING = DedupEstimate(
    run="0" * 16, pool="tank", started_at="2026-11-26T10:00:00+00:00", updated_at="2026-11-26T10:01:00+00:00"
)


def estimating(run: DedupEstimate | None) -> Inventory:
    """`tank` with the last estimate of deduplication."""
    return msgspec.structs.replace(TANK, answers={QUESTION: DedupFound(estimate=run)})


MEASURING = Benchmark(
    run="0" * 16, pool="tank", profile="mixed", record_bytes=131072, compression="lz4", clients=4,
    size_bytes=1 << 30, started_at="2026-11-26T10:00:00+00:00", updated_at="2026-11-26T10:01:00+00:00",
)  # fmt: skip


def measuring(run: Benchmark | None) -> Inventory:
    """`tank` with the last benchmark."""
    return msgspec.structs.replace(TANK, answers={BENCHMARK: BenchmarkFound(benchmark=run)})


def scheduled(operation: str = "pool.scrub", **changes: Any) -> Inventory:
    """`tank` with a schedule."""
    values: dict[str, Any] = {"cron": "0 2 1-7 * sun", "time_zone": "Europe/Berlin", "missed": "run"}
    values |= {"enabled": True, "handled": "2026-11-01T02:00:00+00:00", "request": {"name": "tank"}}
    known = Schedule(id=1, operation=operation, subject=f"pool:{TANK.pools[0].guid}", **(values | changes))
    return msgspec.structs.replace(TANK, schedules=(known,))


COUNTING = PoolBlocks(
    run="0" * 16, pool="tank", started_at="2026-11-27T10:00:00+00:00", updated_at="2026-11-27T10:01:00+00:00"
)


def counting(run: PoolBlocks | None) -> Inventory:
    """`tank` with the last count of its blocks."""
    return msgspec.structs.replace(TANK, answers={METADATA: MetadataFound(counted=run)})

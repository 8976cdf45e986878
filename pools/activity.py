"""What each pool does: the sum of what its devices do, from the kernel's counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from host.kernel.disks import DiskCounters, mean_ms
from jobs.series.collecting import Round
from jobs.series.values import Point

_OUTSIDE = ("cache", "spare")  # what is read from and written to them is not the pool's data


def of_pools(of: Round, inventory: Inventory) -> Iterator[Point]:
    """Series `pool.read_bytes:<guid>` and so on, as the disks have them, parity and copies included."""
    disks = {disk.id: disk for disk in inventory.disks}
    for pool in inventory.pools:
        done = _together(of, _devices(pool, disks))
        if done is None:
            continue
        for kind, value in (
            ("read_bytes", done.read_bytes / of.seconds), ("write_bytes", done.written_bytes / of.seconds),
            ("reads", done.reads / of.seconds), ("writes", done.writes / of.seconds),
            ("read_ms", mean_ms(done.read_ms, done.reads)), ("write_ms", mean_ms(done.write_ms, done.writes)),
        ):  # fmt: skip
            yield from of.point(f"pool.{kind}:{pool.guid}", value)


def _together(of: Round, devices: Iterable[str]) -> DiskCounters | None:
    """What all of them did in this round; None where none was there all the time."""
    done = [
        [later - earlier for earlier, later in zip(of.before.disks[name], of.now.disks[name], strict=True)]
        for name in devices
        if name in of.before.disks and name in of.now.disks
    ]
    steady = [one for one in done if min(one) >= 0]  # a counter that went back belongs to another disk
    return DiskCounters(*map(sum, zip(*steady, strict=True))) if steady else None


def _devices(pool: Pool, disks: dict[str, Disk]) -> Iterator[str]:
    """The kernel's names of the partitions, or whole disks, that hold the pool's data."""
    for top in pool.vdevs:
        if top.role in _OUTSIDE:
            continue
        for leaf in leaves(top):
            if leaf.disk in disks:
                yield _device(leaf, disks[leaf.disk])


def _device(leaf: Vdev, disk: Disk) -> str:
    number = (leaf.path or "").rpartition("-part")[2]
    path = next((one.path for one in disk.partitions if str(one.number) == number), disk.path)
    return path.rpartition("/")[2]

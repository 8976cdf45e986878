"""What a layout allows, and what held a benchmark up."""

from __future__ import annotations

from typing import Any

import pytest

from host.benchmark.values import BusyDisk, DiskRead, PartResult
from host.inventory import Vdev
from pools.benchmark.expect import bottleneck, expected, slow_disks
from tests import made

LINKS = tuple(f"/dev/disk/by-id/ata-{number}-part1" for number in range(8))


def leaf(link: str, role: Any = "data") -> Vdev:
    return Vdev(guid="1", name=link, path=link, kind="disk", role=role, state="ONLINE")


def vdev(name: str, *links: str, kind: str | None = None, role: Any = "data") -> Vdev:
    members = tuple(leaf(link, role) for link in links)
    found = kind or name.partition("-")[0].rstrip("123")
    return Vdev(guid="9", name=name, kind=found, role=role, state="ONLINE", children=members)


def reads(*rates: float) -> tuple[DiskRead, ...]:
    pairs = zip(LINKS, rates, strict=False)
    return tuple(DiskRead(disk=link, bytes_per_s=(rate + 50, rate, rate - 50)) for link, rate in pairs)


@pytest.mark.parametrize(
    ("vdevs", "read", "write"),
    [
        ((leaf(LINKS[0]), leaf(LINKS[1])), 300, 300),
        ((vdev("mirror-0", *LINKS[:2]),), 300, 100),
        ((vdev("mirror-0", *LINKS[:2]), vdev("mirror-1", *LINKS[2:4])), 700, 300),
        ((vdev("raidz1-0", *LINKS[:3]),), 200, 200),
        ((vdev("raidz2-0", *LINKS[:4]), leaf(LINKS[4], "log")), 200, 200),
        # Six of eight disks without the spares' share, four of five of those for data.
        ((vdev("draid1:4d:8c:2s-0", *LINKS, kind="draid"),), 480, 480),
    ],
)  # fmt: skip
def test_what_a_layout_allows(vdevs: tuple[Vdev, ...], read: float, write: float) -> None:
    found = expected(made.pool(vdevs=vdevs), reads(100, 200, 200, 200, 900, 200, 200, 200))
    assert found is not None
    assert (found.read_bytes_per_s, found.write_bytes_per_s) == pytest.approx((read, write))


def test_without_all_disks_of_a_vdev_nothing_is_said() -> None:
    pool = made.pool(vdevs=(vdev("mirror-0", *LINKS[:2]),))
    assert expected(pool, reads(100)) is None
    assert expected(pool, ()) is None


def test_a_disk_that_is_far_slower_is_named() -> None:
    assert slow_disks(reads(200, 210, 190, 120)) == (LINKS[3],)
    assert slow_disks(reads(200, 210, 190, 180)) == ()
    assert slow_disks(reads(200, 100)) == ()  # which of two is the usual one?


def named(link: str) -> str:
    return f"disk {LINKS.index(link)}"


def result(*busy: float, part: str = "write", processors: float = 0.2) -> PartResult:
    return PartResult(
        part=part, kind="write", bytes_per_s=1, operations_per_s=1, mean_s=1, p99_s=1, seconds=1,
        processor_share=processors, command=(),
        busy=tuple(BusyDisk(disk=link, share=share) for link, share in zip(LINKS, busy, strict=False)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("measured", "disks", "words"),
    [
        (result(0.95, 0.93, 0.94), (), "The disks: they were busy for 94% of the time."),
        (result(0.95, 0.93, 0.94), reads(200, 200, 50),
         "The disks. Far slower than the others: disk 2."),
        (result(0.3, 0.98, 0.35), (),
         "One disk alone: disk 1 was busy for 98% of the time, the others for 35%."),
        (result(0.3, 0.3, processors=0.97), (),
         "The processors: they were busy for 97% of the time."),
        (result(0.3, 0.3), (), "Neither disks nor processors: one request waits for another."),
        (result(), (),
         "Not the processors. How busy the disks were was not measured, as they were not read alone."),
        (result(0.3, part="one-writer"), (),
         "How long the disks take for one write: a log device would shorten that."),
    ],
)  # fmt: skip
def test_what_held_it_up(measured: PartResult, disks: tuple[DiskRead, ...], words: str) -> None:
    assert bottleneck(measured, disks, named, has_log=False) == words


def test_with_a_log_device_none_is_advised() -> None:
    assert bottleneck(result(0.3, part="one-writer"), (), named, has_log=True) == (
        "How long the log device takes for one write."
    )

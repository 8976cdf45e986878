"""Disks made ready for ZFS, and disks that must not be touched."""

from __future__ import annotations

import pytest

from host.base import CommandFailed, Host
from host.commands.disks.labels import ZdbLabel
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures, WritePartition
from host.commands.pools.importing import ZpoolExport
from host.commands.pools.zpool import ZpoolDestroy
from host.inventory import Disk
from host.probe.disks.labels import parse_zdb_label
from host.probe.pools.importable import read_importable
from tests.contract.bench import POOL, Bench
from tests.contract.conftest import again, prepare, wait_for


@pytest.mark.core
def test_a_prepared_disk_has_one_partition_and_is_free(bench: Bench, disks: tuple[Disk, ...]) -> None:
    disk = again(bench.host, disks[0])
    prepare(bench.host, disk)
    after = again(bench.host, disk)
    (part,) = after.partitions
    assert (part.number, part.fstype, part.mountpoints) == (1, None, ())
    assert disk.size_bytes - (3 << 30) < part.size_bytes < disk.size_bytes
    assert after.free


def test_a_member_of_a_pool_cannot_be_wiped(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2))
    for partitions in ((), (1,)):
        refused = bench.refuse(WipeSignatures(disk=disks[0].link, partitions=partitions))
        assert refused.exit == 1
        assert "Device or resource busy" in refused.stderr
    assert bench.health() == {POOL: "healthy"}
    assert not again(bench.host, disks[0]).free


def test_no_table_is_written_under_a_pool(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2))
    before = again(bench.host, disks[0]).partitions
    refused = bench.refuse(WritePartition(disk=disks[0].link, size_mib=1024))
    assert refused.exit == 1
    assert "Device or resource busy: in use by a file system" in refused.stderr
    assert again(bench.host, disks[0]).partitions == before
    assert bench.health() == {POOL: "healthy"}


@pytest.mark.parametrize("size_mib", [2**23])
def test_a_partition_larger_than_the_disk_is_refused(
    bench: Bench, disks: tuple[Disk, ...], size_mib: int
) -> None:
    before = again(bench.host, disks[5]).partitions
    assert bench.refuse(WritePartition(disk=disks[5].link, size_mib=size_mib)).exit != 0
    assert again(bench.host, disks[5]).partitions == before


def test_a_disk_that_is_gone_is_named(host: Host, disks: tuple[Disk, ...]) -> None:
    missing = f"{disks[0].link}-gone"
    commands = (WipeSignatures(disk=missing), WritePartition(disk=missing, size_mib=1024))
    for command in commands:
        with pytest.raises(CommandFailed, match="No such file or directory") as failure:
            host.run(command)
        assert missing in failure.value.result.stderr


def test_a_link_that_does_not_come_is_reported(bench: Bench, disks: tuple[Disk, ...]) -> None:
    part = f"{disks[0].link}-part1"
    bench.host.run(UdevWait(links=(part,)))
    said = bench.refuse(UdevWait(links=(part, f"{disks[0].link}-part7"), seconds=1))
    assert (said.exit, said.stderr) == (1, "Timed out for waiting devices being initialized.\n")


def test_what_a_destroyed_pool_leaves_claims_nothing(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2), ("log", "stripe", 1))
    in_use = [again(bench.host, disk).claims[0] for disk in disks[:3]]
    assert {(claim.kind, claim.pool, claim.active) for claim in in_use} == {("pool", POOL, True)}
    bench.host.run(ZpoolDestroy(name=POOL))
    assert [again(bench.host, disk).used_by for disk in disks[:3]] == [None] * 3
    label = bench.host.run(ZdbLabel(device=bench.parts[0])).stdout
    read = parse_zdb_label(label)
    assert read is not None
    assert (read.state, read.nobodys, read.left) == ("2", True, False)  # POOL_STATE_DESTROYED


def test_what_spares_and_caches_leave_claims_nothing(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2), ("cache", "stripe", 1), ("spare", "stripe", 1))
    assert all(again(bench.host, disk).in_use for disk in disks[:4])
    bench.host.run(ZpoolDestroy(name=POOL))
    assert [again(bench.host, disk).used_by for disk in disks[2:4]] == [None] * 2


def test_wiping_the_disk_alone_leaves_what_its_partition_held(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2))
    bench.host.run(ZpoolDestroy(name=POOL))
    disk = again(bench.host, disks[0])
    size = disk.partitions[0].size_bytes >> 20
    seen = {}
    for partitions in ((), (1,)):
        bench.host.run(WipeSignatures(disk=disk.link, partitions=partitions))
        bench.host.run(WritePartition(disk=disk.link, size_mib=size))
        wait_for(bench.host, (disk,))
        seen[partitions] = again(bench.host, disk).partitions[0].fstype
    assert seen == {(): "zfs_member", (1,): None}


def test_a_disk_of_an_exported_pool_is_free_after_it_was_wiped(bench: Bench, disks: tuple[Disk, ...]) -> None:
    pool = bench.create(("data", "mirror", 2))
    bench.host.run(ZpoolExport(name=POOL))
    claims = again(bench.host, disks[0]).claims
    assert [(one.kind, one.active, one.idle, one.pool_guid) for one in claims] == [
        ("exported-pool", True, True, pool.guid)
    ]
    for disk in disks[:2]:
        bench.host.run(WipeSignatures(disk=disk.link, partitions=(1,)))
    bench.host.run(UdevSettle())
    assert again(bench.host, disks[0]).free
    assert pool.guid not in {found.guid for found in read_importable(bench.host)}
    prepare(bench.host, *disks[:2])
    assert again(bench.host, disks[1]).free

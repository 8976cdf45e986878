"""Disks made ready for ZFS, and disks that must not be touched."""

from __future__ import annotations

import pytest

from host.base import CommandFailed, Host
from host.commands import (
    UdevSettle,
    WipeSignatures,
    WritePartition,
    ZdbLabel,
    ZpoolDestroy,
)
from host.inventory import Disk
from host.probe import probe
from host.probe.labels import parse_zdb_label
from tests.contract.bench import POOL, Bench
from tests.contract.conftest import prepare


def _again(host: Host, disk: Disk) -> Disk:
    found = probe(host).disk(disk.id)
    assert found is not None
    return found


def test_a_prepared_disk_has_one_partition_and_is_free(bench: Bench, disks: tuple[Disk, ...]) -> None:
    disk = _again(bench.host, disks[0])
    prepare(bench.host, disk)
    bench.host.run(UdevSettle())
    after = _again(bench.host, disk)
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
    assert bench.pool().health == "healthy"
    assert not _again(bench.host, disks[0]).free


def test_writing_a_table_under_a_pool_does_not_take_its_members_away(
    bench: Bench, disks: tuple[Disk, ...]
) -> None:
    bench.create(("data", "mirror", 2))
    size = _again(bench.host, disks[0]).partitions[0].size_bytes >> 20
    bench.host.run(WritePartition(disk=disks[0].link, size_mib=size))
    assert bench.pool().health == "healthy"


@pytest.mark.parametrize("size_mib", [2**23])
def test_a_partition_larger_than_the_disk_is_refused(
    bench: Bench, disks: tuple[Disk, ...], size_mib: int
) -> None:
    before = _again(bench.host, disks[5]).partitions
    assert bench.refuse(WritePartition(disk=disks[5].link, size_mib=size_mib)).exit != 0
    assert _again(bench.host, disks[5]).partitions == before


def test_a_disk_that_is_gone_is_named(host: Host, disks: tuple[Disk, ...]) -> None:
    missing = f"{disks[0].link}-gone"
    commands = (WipeSignatures(disk=missing), WritePartition(disk=missing, size_mib=1024))
    for command in commands:
        with pytest.raises(CommandFailed, match="No such file or directory") as failure:
            host.run(command)
        assert missing in failure.value.result.stderr


def test_what_a_destroyed_pool_leaves_claims_nothing(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2), ("log", "stripe", 1))
    in_use = [_again(bench.host, disk).claims[0] for disk in disks[:3]]
    assert {(claim.kind, claim.pool, claim.active) for claim in in_use} == {("pool", POOL, True)}
    bench.host.run(ZpoolDestroy(name=POOL))
    assert [_again(bench.host, disk).used_by for disk in disks[:3]] == [None] * 3
    label = bench.host.run(ZdbLabel(device=bench.parts[0])).stdout
    assert parse_zdb_label(label) == "2"  # POOL_STATE_DESTROYED


def test_what_spares_and_caches_leave_claims_nothing(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2), ("cache", "stripe", 1), ("spare", "stripe", 1))
    assert all(_again(bench.host, disk).in_use for disk in disks[:4])
    bench.host.run(ZpoolDestroy(name=POOL))
    assert [_again(bench.host, disk).used_by for disk in disks[2:4]] == [None] * 2


def test_wiping_the_disk_alone_leaves_what_its_partition_held(bench: Bench, disks: tuple[Disk, ...]) -> None:
    bench.create(("data", "mirror", 2))
    bench.host.run(ZpoolDestroy(name=POOL))
    disk = _again(bench.host, disks[0])
    size = disk.partitions[0].size_bytes >> 20
    seen = {}
    for partitions in ((), (1,)):
        bench.host.run(WipeSignatures(disk=disk.link, partitions=partitions))
        bench.host.run(WritePartition(disk=disk.link, size_mib=size))
        bench.host.run(UdevSettle())
        seen[partitions] = _again(bench.host, disk).partitions[0].fstype
    assert seen == {(): "zfs_member", (1,): None}

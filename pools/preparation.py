"""Makes a disk ready for ZFS or md: wipe, one aligned partition, wait for its link, and only then use it.

Letting `zpool create` label whole disks races with udev while labels are being rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator

from host.commands.closed import AnyCommand
from host.commands.disks.partition import UdevWait, Use, WipeSignatures, WritePartition
from host.inventory import Disk
from jobs.plan import Loss, Step

MIB = 1 << 20
_MOST_RESERVE_BYTES = 2 << 30
SMALLEST_DISK_BYTES = 128 * MIB  # leaves at least ZFS' SPA_MINDEVSIZE of 64 MiB


def partition_mib(disk_bytes: int, *, at_least: int = 0) -> int:
    """The partition's length in MiB: from 1 MiB on, leaving min(2 GiB, 1 %) free at the end, so that a
    slightly smaller replacement fits. Where a member of `at_least` bytes is wanted, less is left: pools that
    were made elsewhere often fill their disks, and an equal disk has to be good enough for them."""
    reserve = min(_MOST_RESERVE_BYTES, disk_bytes // 100)
    usual = (disk_bytes - reserve) // MIB - 1
    return max(usual, min(-(-at_least // MIB), disk_bytes // MIB - 2))  # the last MiB is the GPT's copy


def partition_link(disk: Disk) -> str:
    """The stable link of the partition that ZFS or md gets."""
    return f"{disk.link}-part1"


def prepare(disks: tuple[Disk, ...], *, at_least: int = 0, use: Use = "zfs") -> Step:
    """The step that prepares `disks`, with what is lost on them; `at_least` as of `partition_mib`."""
    commands: list[AnyCommand] = [command for disk in disks for command in _commands(disk, at_least, use)]
    count = "1 disk" if len(disks) == 1 else f"{len(disks)} disks"
    wait = UdevWait(links=tuple(partition_link(disk) for disk in disks))
    losses = tuple(loss for disk in disks if (loss := _loss(disk)))
    return Step(title=f"Prepare {count}", commands=(*commands, wait), destroys=losses)


def _commands(disk: Disk, at_least: int, use: Use) -> Iterator[AnyCommand]:
    # The partitions too: wiping the disk alone leaves their file systems and ZFS labels, and a new
    # partition at the same place would show them again (tests/transcripts/errors/leftovers.json).
    numbers = tuple(partition.number for partition in disk.partitions if partition.number)
    yield WipeSignatures(disk=disk.link, partitions=numbers)
    size = partition_mib(disk.size_bytes, at_least=at_least)
    yield WritePartition(disk=disk.link, size_mib=size, use=use)


def _loss(disk: Disk) -> Loss | None:
    if disk.free:
        return None
    return Loss(
        disk=disk.id, bay=disk.bay, model=disk.model, serial=disk.serial, holds=disk.used_by or "",
        size_bytes=disk.size_bytes,
    )  # fmt: skip

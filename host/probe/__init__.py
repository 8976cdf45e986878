"""All reads in one place: `probe(host)` asks the machine and gives an `Inventory`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from host.base import Host
from host.commands import Command, DiskLinks, Lsblk, ZfsGet, ZfsListSnapshots, ZpoolGet, ZpoolStatus
from host.inventory import Inventory, Snapshot
from host.probe.datasets import parse_zfs_get, parse_zfs_list_snapshots
from host.probe.disks import parse_disk_links, parse_lsblk
from host.probe.membership import settle
from host.probe.memory import Memory
from host.probe.pools import parse_zpool_get, parse_zpool_status

__all__ = ["Memory", "list_snapshots", "probe"]


def probe(host: Host, *, memory: Memory | None = None) -> Inventory:
    """Everything that plans and pages need, but for snapshots. Raises `HostError`.

    `memory` lets what hardly moves, and what would wake a disk, be asked only once in a while.
    """
    memory = memory or Memory()
    now = datetime.now(UTC)
    reads: tuple[Command, ...] = (DiskLinks(), Lsblk(), ZpoolGet(), ZpoolStatus(), ZfsGet())
    with ThreadPoolExecutor(max_workers=len(reads)) as together:
        links, devices, settings, status, datasets = together.map(lambda read: host.run(read).stdout, reads)
    disks, pools = settle(
        parse_lsblk(devices),
        parse_disk_links(links),
        parse_zpool_status(status, parse_zpool_get(settings)),
        host,
        memory.labels,
    )
    return Inventory(
        as_of=now.isoformat(timespec="milliseconds"),
        facts=memory.facts(host, now),
        disks=disks,
        pools=pools,
        datasets=parse_zfs_get(datasets),
    )


def list_snapshots(host: Host, dataset: str, *, recursive: bool = False) -> list[Snapshot]:
    """The snapshots of `dataset`, oldest first; `recursive` adds those of all below it."""
    answer = host.run(ZfsListSnapshots(dataset=dataset, recursive=recursive))
    return parse_zfs_list_snapshots(answer.stdout)

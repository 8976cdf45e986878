"""All reads in one place: `probe(host)` asks the machine and gives an `Inventory`."""

from __future__ import annotations

from datetime import UTC, datetime

from host.base import Host
from host.commands import DiskLinks, Lsblk, ZfsGet, ZfsListSnapshots, ZpoolGet, ZpoolStatus
from host.inventory import Inventory, Snapshot
from host.probe.datasets import parse_zfs_get, parse_zfs_list_snapshots
from host.probe.disks import parse_disk_links, parse_lsblk
from host.probe.facts import probe_facts
from host.probe.labels import Labels
from host.probe.membership import settle
from host.probe.pools import parse_zpool_get, parse_zpool_status

__all__ = ["Labels", "list_snapshots", "probe"]


def probe(host: Host, *, labels: Labels | None = None) -> Inventory:
    """Everything that plans and pages need, but for snapshots. Raises `HostError`.

    `labels` remembers between probes what was read from disks, so that none is woken twice for it.
    """
    links = parse_disk_links(host.run(DiskLinks()).stdout)
    devices = parse_lsblk(host.run(Lsblk()).stdout)
    settings = parse_zpool_get(host.run(ZpoolGet()).stdout)
    pools = parse_zpool_status(host.run(ZpoolStatus()).stdout, settings)
    datasets = parse_zfs_get(host.run(ZfsGet()).stdout)
    disks, pools = settle(devices, links, pools, host, labels or Labels())
    now = datetime.now(UTC)
    return Inventory(
        as_of=now.isoformat(timespec="milliseconds"),
        facts=probe_facts(host, now),
        disks=disks,
        pools=pools,
        datasets=datasets,
    )


def list_snapshots(host: Host, dataset: str, *, recursive: bool = False) -> list[Snapshot]:
    """The snapshots of `dataset`, oldest first; `recursive` adds those of all below it."""
    answer = host.run(ZfsListSnapshots(dataset=dataset, recursive=recursive))
    return parse_zfs_list_snapshots(answer.stdout)

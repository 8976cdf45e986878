"""Which disk a link leads to now."""

from __future__ import annotations

from host.base import Host
from host.commands.facts import DiskLinks, LoopFiles, Lsblk
from host.inventory import Disk
from host.probe.disks.disks import parse_disk_links, parse_lsblk
from host.probe.disks.labels import Labels
from host.probe.membership import settle


class _Unread(Labels):
    """Takes every ZFS label for somebody's: to read one could wake the disk."""

    def read(self, host: Host, link: str, pool_guid: str) -> None:
        return None


def disk_behind(host: Host, link: str) -> Disk | None:
    """The disk that `link` (a path under /dev/disk/by-id) leads to, with its twins, or None.

    Nothing is read from any disk, so its claims are what udev knows. Raises `HostError`.
    """
    links = parse_disk_links(host.run(DiskLinks()).stdout)
    devices = parse_lsblk(host.run(Lsblk()).stdout, host.run(LoopFiles()).stdout)
    path = links.paths.get(link)
    disks, _ = settle(devices, links, (), host, _Unread())
    return next((disk for disk in disks if disk.path == path), None)

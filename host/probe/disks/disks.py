"""Parsers of `lsblk` and of the links under /dev/disk."""

from __future__ import annotations

from typing import Any, NamedTuple

from host import typed
from host.probe.disks.holders import add_loops

# Block devices that lsblk calls disks but that no one can pull: zvols, compressed memory, floppies…
_NOT_DISKS = ("zd", "zram", "ram", "loop", "fd", "nbd", "sr")
_ALWAYS = ("size", "log-sec", "phy-sec")
_RANKS = ("ata-", "nvme-", "scsi-", "wwn-", "usb-")


class Links(NamedTuple):
    """Links by the kernel's path they lead to; `paths` is the other direction.

    `sequences` are the numbers of the disks that udev made these links for.
    """

    by_id: dict[str, tuple[str, ...]]  # names, best first
    by_port: dict[str, str]
    paths: dict[str, str]  # /dev/disk/… → /dev/sdX
    sequences: dict[str, str]


def parse_disk_links(text: str) -> Links:
    """From lines of link and target, tab-separated."""
    by_id: dict[str, list[str]] = {}
    by_port: dict[str, str] = {}
    paths: dict[str, str] = {}
    sequences: dict[str, str] = {}
    for line in sorted(text.splitlines()):
        link, _, target = line.partition("\t")
        path = f"/dev/{target.rpartition('/')[2]}"
        paths[link] = path
        folder, _, name = link.rpartition("/")
        if folder.endswith("by-id"):
            by_id.setdefault(path, []).append(name)
        elif folder.endswith("by-diskseq"):
            sequences[path] = name
        elif path not in by_port or len(name) < len(by_port[path]):
            by_port[path] = name
    ranked = {path: tuple(sorted(names, key=_rank)) for path, names in by_id.items()}
    return Links(ranked, by_port, paths, sequences)


def _rank(name: str) -> tuple[int, int, str]:
    """`ata-`, `nvme-` (not `nvme-eui`), `scsi-`, `wwn-`, `usb-`, then the rest; shorter first."""
    if name.startswith("nvme-eui"):
        return len(_RANKS), len(name), name
    rank = next((i for i, prefix in enumerate(_RANKS) if name.startswith(prefix)), len(_RANKS) + 1)
    return rank, len(name), name


def parse_lsblk(text: str, loops: str = "") -> list[dict[str, Any]]:
    """The tree of every real disk, as lsblk gives it: a node has `children` where it has any. `loops` is what
    `LoopFiles` says: they are children of the device that they lie on.

    For a disk that is just coming or going lsblk may print a name and nothing else: such a node is left out.
    """
    devices: list[dict[str, Any]] = typed.decode(text)["blockdevices"]
    add_loops(devices, loops)
    return [
        device
        for device in devices
        if device["type"] == "disk" and is_disk(device["kname"]) and all(device[key] for key in _ALWAYS)
    ]


def is_itself(device: dict[str, Any], links: Links) -> bool:
    """Whether the links to a node of lsblk belong to the very disk that has its name now.

    The kernel counts the disks that come, and gives names again: where another disk was a moment ago, links
    may still be of that one. Where the kernel or udev report no number, the links count as the disk's own.
    """
    now, linked = device.get("disk-seq"), links.sequences.get(device["path"])
    return now is None or linked is None or str(now) == linked


def is_disk(kname: str) -> bool:
    """Whether the kernel's name is one of a disk that could be pulled."""
    return not kname.startswith(_NOT_DISKS)

"""Connects disks and pools: which leaf is on which disk, and what claims each disk."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from host.base import Host
from host.inventory import Disk, Partition, Pool, Vdev, leaves
from host.inventory.disks import Medium
from host.probe.disks.claims import claims_of
from host.probe.disks.disks import Links, is_itself
from host.probe.disks.holders import holders, is_partition
from host.probe.disks.labels import Labels

_NOT_OPEN = {"UNAVAIL", "OFFLINE", "UNKNOWN"}  # ZFS has not looked at what is at that path now


def settle(
    devices: list[dict[str, Any]], links: Links, pools: tuple[Pool, ...], host: Host, labels: Labels
) -> tuple[tuple[Disk, ...], tuple[Pool, ...]]:
    """Disks with their claims, and pools whose leaves name their disks.

    A disk whose links are still those of the one before it is left out: the next probe has it.
    """
    devices = [device for device in devices if is_itself(device, links)]
    owners = {path: device["path"] for device in devices for path in _paths(device)}
    ids = {device["path"]: _best(device, links) for device in devices}
    members: dict[str, Pool] = {}
    placed: list[Pool] = []
    for pool in pools:
        vdevs = tuple(_place(vdev, owners, ids, links) for vdev in pool.vdevs)
        placed.append(msgspec.structs.replace(pool, vdevs=vdevs))
        members |= {leaf.disk: pool for vdev in vdevs for leaf in leaves(vdev) if leaf.disk}
    written = [link for device in devices if ids[device["path"]] in members for link in _links(device, links)]
    here = {link for device in devices for link in _links(device, links)}
    labels.forget({pool.guid for pool in pools}, written, here)
    disks = tuple(_disk(device, links, members, pools, host, labels) for device in devices)
    return tuple(_with_twins(disk, disks) for disk in disks), tuple(placed)


def _with_twins(disk: Disk, disks: tuple[Disk, ...]) -> Disk:
    """Cheap bridges give all their disks one serial or WWN, and two cables show one disk twice."""
    twins = tuple(
        other.id
        for other in disks
        if other is not disk
        and ((other.serial and other.serial == disk.serial) or (other.wwn and other.wwn == disk.wwn))
    )
    return msgspec.structs.replace(disk, twins=twins) if twins else disk


def _paths(node: dict[str, Any]) -> list[str]:
    return [node["path"], *(child["path"] for child in node.get("children", ()) if is_partition(child))]


def _links(device: dict[str, Any], links: Links) -> list[str]:
    return [f"/dev/disk/by-id/{name}" for path in _paths(device) for name in links.by_id.get(path, ())]


def _best(device: dict[str, Any], links: Links) -> str:
    # A disk without any by-id link has only the kernel's name; plans refuse it for that reason.
    names: tuple[str, ...] = links.by_id.get(device["path"], (device["kname"],))
    return names[0]


def _place(vdev: Vdev, owners: dict[str, str], ids: dict[str, str], links: Links) -> Vdev:
    children = tuple(_place(child, owners, ids, links) for child in vdev.children)
    disk = None
    if not children and vdev.path:
        device = owners.get(links.paths.get(vdev.path, vdev.path))
        if vdev.path not in links.paths and vdev.state in _NOT_OPEN:
            device = None  # the kernel's name of a disk that is missing may be that of another one by now
        disk = ids.get(device) if device and vdev.state != "REMOVED" else None
    return msgspec.structs.replace(vdev, children=children, disk=disk)


def _disk(
    device: dict[str, Any],
    links: Links,
    members: dict[str, Pool],
    pools: tuple[Pool, ...],
    host: Host,
    labels: Labels,
) -> Disk:
    path, disk_id = device["path"], _best(device, links)
    model = (device["model"] or "").strip()
    return Disk(
        id=disk_id,
        links=links.by_id.get(path, ()),
        path=path,
        hctl=device["hctl"],
        port=links.by_port.get(path),
        serial=device["serial"],
        wwn=device["wwn"],
        model=model or "unknown model",
        vendor=(device["vendor"] or "").strip() or None,
        size_bytes=device["size"],
        logical_sector_bytes=device["log-sec"],
        physical_sector_bytes=device["phy-sec"],
        medium=_medium(device),
        transport=device["tran"],
        partitions=_partitions(device),
        claims=claims_of(device, links, members.get(disk_id), pools, host, labels),
    )


def _medium(device: dict[str, Any]) -> Medium:
    if device["tran"] == "usb" and device["rm"]:
        return "flash"
    return "hdd" if device["rota"] else "ssd"


def _partitions(device: dict[str, Any]) -> tuple[Partition, ...]:
    nodes = [child for child in device.get("children", ()) if is_partition(child) and child["size"]]
    return tuple(_partition(node) for node in ([device] if device["fstype"] else []) + nodes)


def _number(node: dict[str, Any]) -> int:
    """From the kernel's name: udev's answer comes a moment after the partition."""
    if node["type"] != "part":
        return 0
    return int(node["partn"] or re.findall(r"\d+\Z", node["kname"])[0])


def _partition(node: dict[str, Any]) -> Partition:
    return Partition(
        number=_number(node),
        path=node["path"],
        size_bytes=node["size"],
        parttype=node["parttype"],
        fstype=node["fstype"],
        label=node["label"],
        uuid=node["uuid"],
        used_bytes=int(node["fsused"]) if node.get("fsused") else None,
        mountpoints=tuple(point for point in node["mountpoints"] if point),
        holders=tuple(child["name"] for child in holders(node)),
    )

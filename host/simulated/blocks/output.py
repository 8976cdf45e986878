"""What lsblk and find say of a simulated machine's disks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from host.base import Result
from host.commands.facts import DiskLinks, DiskSequence, LoopFiles, Lsblk
from host.simulated.blocks.devices import SECTOR
from host.simulated.handlers import always
from host.simulated.state import Disk, Holder, Machine, Partition, Signature

Node = dict[str, Any]
_BLANK: Node = dict.fromkeys(
    ("name", "kname", "path", "type", "pkname", "size", "phy-sec", "log-sec", "rota", "rm", "tran", "vendor",
     "model", "serial", "wwn", "hctl", "fstype", "label", "uuid", "pttype", "parttype", "partn", "start",
     "disk-seq", "fsused")
)  # fmt: skip


def lsblk(machine: Machine) -> str:
    """`lsblk -J -b -o …`: disks in the order of their device numbers, then zvols and loop devices."""
    disks = sorted(machine.present(), key=lambda disk: (len(disk.kname), disk.kname))
    nodes = [*(_disk_node(disk, machine) for disk in disks), *_zvols(machine), *_loops(machine)]
    return msgspec.json.encode({"blockdevices": nodes}).decode() + "\n"


def _disk_node(disk: Disk, machine: Machine) -> Node:
    node = _node(disk.content) | {
        "name": disk.kname, "kname": disk.kname, "path": disk.path, "type": "disk", "size": disk.size,
        "tran": disk.transport, "vendor": disk.vendor, "model": disk.model, "serial": disk.serial,
        "wwn": disk.wwn, "hctl": None if disk.transport == "nvme" else disk.hctl, "pttype": disk.table,
        **_traits(disk),
    }  # fmt: skip
    parts = [_part_node(disk, part, machine) for part in disk.partitions]
    maps = [_built(machine.holders[name], disk) for name in disk.held if name not in _on_files(machine)]
    children = [*_holder(disk.content, disk, disk.kname, machine), *maps, *parts]
    return node | ({"children": children} if children else {})


def _part_node(disk: Disk, part: Partition, machine: Machine) -> Node:
    name = disk.partition_name(part.number)
    node = _node(part.content) | {
        "name": name, "kname": name, "path": f"/dev/{name}", "type": "part", "pkname": disk.kname,
        "size": part.size, "wwn": disk.wwn, "pttype": disk.table, "parttype": part.parttype,
        "partn": part.number, "start": part.start, **_traits(disk),
    }  # fmt: skip
    children = _holder(part.content, disk, name, machine)
    return node | ({"children": children} if children else {})


def _holder(content: Signature | None, disk: Disk, parent: str, machine: Machine) -> list[Node]:
    if content is None or content.holder is None:
        return []
    return [_built(machine.holders[content.holder], disk) | {"pkname": parent}]


def _built(holder: Holder, disk: Disk) -> Node:
    return _node(holder.content) | {
        "name": holder.name, "kname": holder.kname, "path": holder.path, "type": holder.kind,
        "pkname": disk.kname, "size": holder.size, **_traits(disk), "rm": False,
    }  # fmt: skip


def _on_files(machine: Machine) -> dict[str, Disk]:
    """Loop devices: what they lie on is a file to the kernel, so that lsblk shows them beside it."""
    return {
        name: disk for disk in machine.present() for name in disk.held if machine.holders[name].kind == "loop"
    }


def _loops(machine: Machine) -> list[Node]:
    on = _on_files(machine)
    return [_built(machine.holders[name], disk) | {"pkname": None} for name, disk in on.items()]


def loop_files(machine: Machine) -> Result:
    """`grep -r --include=backing_file …`."""
    lines = [
        f"/sys/devices/virtual/block/{name}/loop/backing_file\0{disk.path}\n"
        for name, disk in _on_files(machine).items()
    ]
    return Result(exit=0 if lines else 1, stdout="".join(lines))


def _traits(disk: Disk) -> Node:
    return {
        "phy-sec": disk.physical_sector,
        "log-sec": disk.logical_sector,
        "rota": disk.rotational,
        "rm": disk.removable,
        "disk-seq": disk.sequence,
    }


def _node(content: Signature | None) -> Node:
    if content is None:
        return _BLANK | {"mountpoints": []}
    seen = {"fstype": content.fstype, "label": content.label, "uuid": content.uuid}
    used = content.used if content.mountpoints and content.used else None
    return _BLANK | seen | {"fsused": used, "mountpoints": content.mountpoints}


def _zvols(machine: Machine) -> Iterator[Node]:
    volumes = (
        dataset
        for pool in machine.pools.values()
        for dataset in pool.datasets.values()
        if dataset.kind == "volume"
    )
    for index, volume in enumerate(sorted(volumes, key=lambda volume: volume.createtxg)):
        name = f"zd{16 * index}"
        yield _BLANK | {
            "name": name, "kname": name, "path": f"/dev/{name}", "type": "disk",
            "size": int(volume.values["volsize"]), "phy-sec": int(volume.fixed["volblocksize"]),
            "log-sec": SECTOR, "rota": False, "rm": False, "mountpoints": [],
        }  # fmt: skip


def disk_links(machine: Machine) -> str:
    """`find /dev/disk/by-id /dev/disk/by-path /dev/disk/by-diskseq -type l -printf …`."""
    lines: list[str] = []
    for disk in machine.present():
        for link in (*(f"by-id/{name}" for name in disk.ids), *(f"by-path/{name}" for name in disk.ports)):
            lines.append(f"/dev/disk/{link}\t../../{disk.kname}")
            for part in disk.partitions:
                target = f"../../{disk.partition_name(part.number)}"
                lines.append(f"/dev/disk/{link}-part{part.number}\t{target}")
        lines += _partition_folders(disk)
    lines += [f"/dev/disk/by-diskseq/{line}" for line in disk_sequence(machine).splitlines()]
    for holder in machine.holders.values():
        lines += [f"/dev/disk/by-id/{name}\t../../{holder.kname}" for name in holder.ids]
    return "".join(f"{line}\n" for line in lines)


def disk_sequence(machine: Machine) -> str:
    """`find /dev/disk/by-diskseq -type l -printf …`."""
    lines: list[str] = []
    for disk in machine.present():
        lines.append(f"{disk.sequence}\t../../{disk.kname}")
        for part in disk.partitions:
            target = f"../../{disk.partition_name(part.number)}"
            lines.append(f"{disk.sequence}-part{part.number}\t{target}")
    return "".join(f"{line}\n" for line in lines)


def _partition_folders(disk: Disk) -> Iterator[str]:
    for port in disk.ports[:1]:
        for part in disk.partitions:
            content = part.content
            names = [f"by-partnum/{part.number}", f"by-partuuid/{part.partuuid}"]
            names += [f"by-label/{content.label}"] if content and content.label else []
            names += [f"by-uuid/{content.uuid}"] if content and content.uuid else []
            target = f"../../../../{disk.partition_name(part.number)}"
            for name in names:
                yield f"/dev/disk/by-path/{port}-part/{name}\t{target}"


HANDLERS = (
    always(Lsblk, lsblk)
    | always(LoopFiles, loop_files)
    | always(DiskLinks, disk_links)
    | always(DiskSequence, disk_sequence)
)

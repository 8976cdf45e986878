"""Machines to draw: inventories as values, from two bays to 102."""

from __future__ import annotations

from typing import Any

import msgspec

from disks.chassis import place
from host.inventory import Bay, Dataset, Disk, DiskClaim, Inventory, Pool, Scan, Vdev
from tests import made


def leaf(disk: Disk, /, **changes: Any) -> Vdev:
    """The leaf of a pool that uses `disk`."""
    values: dict[str, Any] = {"kind": "disk", "role": "data", "state": "ONLINE", "disk": disk.id}
    path = f"{disk.link}-part1"
    return Vdev(**({"guid": f"9{disk.serial}", "name": path, "path": path} | values | changes))


def vdev(name: str, *leaves: Vdev, **changes: Any) -> Vdev:
    """A vdev over `leaves`."""
    values: dict[str, Any] = {"kind": name.split("-")[0].rstrip("123"), "role": "data", "state": "ONLINE"}
    return Vdev(**({"guid": f"8{name}", "name": name, "children": leaves} | values | changes))


def in_pool(disk: Disk, pool: str) -> Disk:
    """The disk as the probe describes a member of an imported pool."""
    claim = DiskClaim(kind="pool", words=f"member of pool {pool}", active=True, pool=pool)
    return made.disk(
        0, **{name: getattr(disk, name) for name in disk.__struct_fields__} | {"claims": (claim,)}
    )


def boot_disk(number: int) -> Disk:
    """A USB flash drive that the system runs from."""
    claim = DiskClaim(kind="boot", words="the running system (/)", active=True)
    return made.disk(
        number, id=f"usb-Cruzer_{number}", links=(f"usb-Cruzer_{number}",), transport="usb", medium="flash",
        model="Cruzer Fit", serial=f"4C53{number}", size_bytes=16_000_000_000, claims=(claim,),
        port=f"pci-0000:00:14.0-usb-{number}", temperature_celsius=None,
    )  # fmt: skip


def tank(*, width: int = 6, vdevs: int = 1, layout: str = "raidz2", **changes: Any) -> Inventory:
    """A machine whose disks are all in the pool `tank`, warmer from bay to bay, with two boot drives."""
    disks = [
        in_pool(made.disk(number, temperature_celsius=26 + number % 24), "tank")
        for number in range(1, width * vdevs + 1)
    ]
    groups = [disks[start : start + width] for start in range(0, len(disks), width)]
    tops = tuple(
        vdev(f"{layout}-{index}", *(leaf(disk) for disk in group)) for index, group in enumerate(groups)
    )
    return machine(disks, pools=(made.pool(vdevs=tops, **changes),), datasets=(root("tank"),))


def degraded() -> Inventory:
    """`tank` of six, whose third disk was pulled and whose fifth counted checksum errors."""
    whole = tank()
    leaves = list(whole.pools[0].vdevs[0].children)
    leaves[2] = leaf(whole.disks[2], state="REMOVED", disk=None, note="was /dev/disk/by-id/ata-…")
    leaves[4] = leaf(whole.disks[4], checksum_errors=7)
    pool = made.pool(
        state="DEGRADED",
        vdevs=(vdev("raidz2-0", *leaves, state="DEGRADED"),),
        status="One or more devices have been removed.",
        action="Put the disk back, or replace it.",
        scan=Scan(function="RESILVER", state="SCANNING", percent=37.2),
    )
    present = [disk for disk in whole.disks if disk.bay != "A3"]
    return machine(present, pools=(pool,), datasets=whole.datasets)


def root(name: str, **properties: Any) -> Dataset:
    """A pool's root dataset with the sizes that pages show."""
    values = {"used": str(3 << 40), "available": str(7 << 40), "compression": "lz4", "compressratio": "1.20"}
    return made.dataset(name, **(values | properties))


def machine(
    disks: list[Disk], *, pools: tuple[Pool, ...] = (), datasets: tuple[Dataset, ...] = ()
) -> Inventory:
    """These disks in their bays, with two boot drives unless they have some."""
    boots = [] if any(disk.transport == "usb" for disk in disks) else [boot_disk(901), boot_disk(902)]
    return place(made.inventory(*disks, *boots, pools=pools, datasets=datasets))


def placed(disks: list[Disk], *, columns: int = 4, **bays: Any) -> Inventory:
    """A described case whose bays `1`, `2`… hold `disks` by their ports; `bays` changes seats by label
    (`b3={...}` for bay 3), where `disk=None` takes the disk out."""
    inventory = made.inventory(*disks)
    places = []
    for index, disk in enumerate(disks):
        label = str(index + 1)
        values: dict[str, Any] = {"disk": disk.id, "known_by": "path", "taught": True}
        values |= bays.get(f"b{label}", {})
        if values["disk"] is None:
            values["known_by"] = None
        places.append(Bay(label=label, group="Front", row=index // columns, column=index % columns, **values))
    here = {bay.disk for bay in places}
    labels = {bay.disk: bay.label for bay in places}
    return msgspec.structs.replace(
        inventory,
        disks=tuple(msgspec.structs.replace(disk, bay=labels[disk.id]) for disk in disks if disk.id in here),
        bays=tuple(places),
        chassis="Tower",
    )

"""Inventories made by hand, for plans that are tested by comparing values."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zlib import crc32

from host.inventory import (
    Dataset,
    Disk,
    DiskClaim,
    HostFacts,
    Inventory,
    Partition,
    Pool,
    Property,
    Snapshot,
    Vdev,
)
from host.probe.datasets.property_table import parse_property_table

TRANSCRIPTS = Path(__file__).parent / "transcripts"
WD_BYTES = 3_000_592_982_016
TABLE = parse_property_table((TRANSCRIPTS / "property-table.txt").read_text())


def disk(number: int, **changes: Any) -> Disk:
    """A blank 3 TB disk; `number` makes its serial and bay."""
    serial = f"WD-{number:04}"
    values: dict[str, Any] = {
        "id": f"ata-WDC_WD30EFRX_{serial}",
        "links": (f"ata-WDC_WD30EFRX_{serial}", f"wwn-0x5001{number:04}"),
        "path": f"/dev/sd{chr(96 + number)}" if number < 27 else f"/dev/sda{number}",
        "port": f"pci-0000:00:1f.2-ata-{number}",
        "serial": serial,
        "wwn": f"0x5001{number:04}",
        "model": "WDC WD30EFRX",
        "bay": f"A{number}",
        "size_bytes": WD_BYTES,
        "logical_sector_bytes": 512,
        "physical_sector_bytes": 4096,
        "medium": "hdd",
        "transport": "sata",
    }
    return Disk(**(values | changes))


def used(number: int, kind: Any, words: str, *, active: bool = True, **changes: Any) -> Disk:
    """A disk that something claims."""
    return disk(number, claims=(DiskClaim(kind=kind, words=words, active=active, **changes),))


def with_file_system(number: int) -> Disk:
    """A disk with an unmounted ntfs file system on its first partition."""
    claim = DiskClaim(
        kind="filesystem", words="ntfs file system “Backup”, 2.7 TiB, not mounted", active=False
    )
    partition = Partition(number=1, path="/dev/sda1", size_bytes=WD_BYTES, fstype="ntfs", label="Backup")
    return disk(number, claims=(claim,), partitions=(partition,))


def dataset(name: str, *, kind: Any = "filesystem", **properties: Any) -> Dataset:
    """A dataset; a property is a value (local) or a `Property`."""
    values = {"mountpoint": f"/mnt/{name}", "available": str(10 << 40), "used": "98304"} | properties
    return Dataset(
        name=name,
        kind=kind,
        guid=str(abs(hash(name))),
        properties={
            key: value if isinstance(value, Property) else Property(value=value, source="local")
            for key, value in values.items()
        },
    )


def inherited(value: str, ancestor: str) -> Property:
    """A property that came from `ancestor`."""
    return Property(value=value, source="inherited", inherited_from=ancestor)


def snapshot(name: str, **changes: Any) -> Snapshot:
    """A snapshot that nothing holds."""
    values: dict[str, Any] = {
        "guid": str(crc32(name.encode()) + 1),
        "created": 1_790_000_000,
        "referenced_bytes": 98304,
    }
    return Snapshot(name=name, **(values | changes))


def pool(name: str = "tank", **changes: Any) -> Pool:
    """A healthy pool of one disk."""
    vdev = Vdev(guid="11", name="/dev/disk/by-id/ata-x-part1", kind="disk", role="data", state="ONLINE")
    values: dict[str, Any] = {
        "guid": "17762933650823709901",
        "state": "ONLINE",
        "vdevs": (vdev,),
        "size_bytes": WD_BYTES,
        "allocated_bytes": 1 << 30,
        "free_bytes": WD_BYTES,
        "ashift": 12,
    }
    return Pool(name=name, **(values | changes))


def inventory(
    *disks: Disk,
    pools: tuple[Pool, ...] = (),
    datasets: tuple[Dataset, ...] = (),
    snapshots: tuple[Snapshot, ...] = (),
) -> Inventory:
    """A machine with these and nothing else."""
    facts = HostFacts(
        name="nas", kind="simulated", kernel="6.12", zfs_userland="zfs-2.3.9", zfs_module="zfs-kmod-2.3.9",
        memory_bytes=8 << 30, ecc="unknown", booted=1_790_000_000,
        native=TABLE,
    )  # fmt: skip
    by_dataset: dict[str, tuple[Snapshot, ...]] = {entry.name: () for entry in datasets}
    for entry in snapshots:
        by_dataset[entry.dataset] = (*by_dataset.get(entry.dataset, ()), entry)
    return Inventory(
        as_of="2026-11-21T12:00:00.000+00:00",
        facts=facts,
        disks=disks,
        pools=pools,
        datasets=datasets,
        snapshots=by_dataset,
    )

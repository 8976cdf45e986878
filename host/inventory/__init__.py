"""What the machine is, as frozen values: the result of one probe."""

from host.inventory.datasets import Dataset, Property, Snapshot
from host.inventory.disks import Disk, DiskClaim, Partition
from host.inventory.machine import HostFacts, Inventory
from host.inventory.pools import Leaf, Pool, Scan, Vdev, leaves

__all__ = [
    "Dataset", "Disk", "DiskClaim", "HostFacts", "Inventory", "Leaf", "Partition", "Pool",
    "Property", "Scan", "Snapshot", "Vdev", "leaves",
]  # fmt: skip

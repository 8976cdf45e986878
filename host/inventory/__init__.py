"""What the machine is, as frozen values: the result of one probe."""

from host.inventory.bays import Absent, KnownBy, Seat
from host.inventory.burn_in import BurnIn, Throughput
from host.inventory.datasets import Dataset, Property, Snapshot
from host.inventory.disks import Disk, DiskClaim, Partition
from host.inventory.enclosures import Enclosure, Slot, Unit
from host.inventory.machine import HostFacts, Inventory
from host.inventory.pools import Leaf, Pool, Scan, Vdev, leaves
from host.inventory.smart import SelfTest, SmartReading

__all__ = [
    "Absent", "BurnIn", "Dataset", "Disk", "DiskClaim", "Enclosure", "HostFacts", "Inventory", "KnownBy",
    "Leaf", "Partition", "Pool", "Property", "Scan", "Seat", "SelfTest", "Slot", "SmartReading", "Snapshot",
    "Throughput", "Unit", "Vdev", "leaves",
]  # fmt: skip

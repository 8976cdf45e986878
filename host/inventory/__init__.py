"""What the machine is, as frozen values: the result of one probe."""

from host.inventory.activity import Activity
from host.inventory.arrays import ArrayMember, ArrayWork, MdArray, MdEvent
from host.inventory.bays import Absent, Bay, KnownBy
from host.inventory.boot import BootImport, Ecc, Kernel, Service
from host.inventory.burn_in import BurnIn, Throughput
from host.inventory.conversion import BootNotes, Conversion
from host.inventory.datasets import Dataset, NativeProperty, Property, Snapshot
from host.inventory.disks import Disk, DiskClaim, Partition
from host.inventory.enclosures import Enclosure, Slot, Unit
from host.inventory.importable import Importable, ImportablePool, ImportableVdev, ImportLoss, LastUse
from host.inventory.machine import HostFacts, Inventory
from host.inventory.memory import ArcBounds, ArcLimit, Swap, SwapSpace
from host.inventory.moved import FolderSpace, MovedState
from host.inventory.network import (
    Address,
    Certificate,
    Interface,
    LogForwarding,
    LogTarget,
    Naming,
    Network,
    PendingChange,
    UndoneChange,
)
from host.inventory.people import Accounts, Group, Person
from host.inventory.pools import Feature, Leaf, Pool, Vdev, leaves
from host.inventory.progress import Checkpoint, Expansion, Filling, Removal, Scan
from host.inventory.schedules import Schedule
from host.inventory.shares import NfsClient, NfsShare, Served, Sharing, SharingSettings, SmbShare
from host.inventory.smart import SelfTest, SmartReading
from host.inventory.zed import ZedEvent
from host.repositories.known import BackedUp, Backup, BackupRun, Backups, DatasetCopy, Repository

__all__ = [
    "Absent",
    "Accounts",
    "Activity",
    "Address",
    "ArcBounds",
    "ArcLimit",
    "ArrayMember",
    "ArrayWork",
    "BackedUp",
    "Backup",
    "BackupRun",
    "Backups",
    "Bay",
    "BootImport",
    "BootNotes",
    "BurnIn",
    "Certificate",
    "Checkpoint",
    "Conversion",
    "Dataset",
    "DatasetCopy",
    "Disk",
    "DiskClaim",
    "Ecc",
    "Enclosure",
    "Expansion",
    "Feature",
    "Filling",
    "FolderSpace",
    "Group",
    "HostFacts",
    "ImportLoss",
    "Importable",
    "ImportablePool",
    "ImportableVdev",
    "Interface",
    "Inventory",
    "Kernel",
    "KnownBy",
    "LastUse",
    "Leaf",
    "LogForwarding",
    "LogTarget",
    "MdArray",
    "MdEvent",
    "MovedState",
    "Naming",
    "NativeProperty",
    "Network",
    "NfsClient",
    "NfsShare",
    "Partition",
    "PendingChange",
    "Person",
    "Pool",
    "Property",
    "Removal",
    "Repository",
    "Scan",
    "Schedule",
    "SelfTest",
    "Served",
    "Service",
    "Sharing",
    "SharingSettings",
    "Slot",
    "SmartReading",
    "SmbShare",
    "Snapshot",
    "Swap",
    "SwapSpace",
    "Throughput",
    "UndoneChange",
    "Unit",
    "Vdev",
    "ZedEvent",
    "leaves",
]

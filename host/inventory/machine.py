"""The machine as a whole."""

from __future__ import annotations

from typing import Any

import msgspec

from host.inventory.arrays import MdArray
from host.inventory.bays import Absent, Bay
from host.inventory.boot import BootImport, Ecc, Kernel
from host.inventory.conversion import BootNotes
from host.inventory.datasets import Dataset, NativeProperty, Snapshot
from host.inventory.disks import Disk
from host.inventory.enclosures import Enclosure, Unit
from host.inventory.importable import Importable
from host.inventory.memory import ArcLimit, Swap
from host.inventory.moved import MovedState
from host.inventory.network import Naming, Network
from host.inventory.people import Accounts
from host.inventory.pools import Pool, Vdev
from host.inventory.schedules import Schedule
from host.inventory.shares import Served, Sharing
from host.replication.rewriting import Rewrite
from host.replication.values import Replicating
from host.repositories.known import Backups


class HostFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine is, apart from its storage."""

    name: str
    kind: str  # local or simulated
    kernel: str
    zfs_userland: str | None
    zfs_module: str | None
    memory_bytes: int
    ecc: Ecc  # yes: a driver reports ECC, or the firmware reports modules with it; silence proves nothing
    booted: int  # seconds since 1970, UTC
    kernels: tuple[Kernel, ...] = ()  # those installed, newest first; none where that is not known
    next_kernel: str | None = None  # the one that starts next, where the boot loader's menu shows it
    boot_import: BootImport | None = None  # None: could not be asked
    native: tuple[NativeProperty, ...] = ()  # the properties of datasets that ZFS knows; none: not reported


class Inventory(msgspec.Struct, frozen=True, kw_only=True):
    """One picture of the machine. Plans are made from it and from nothing else."""

    as_of: str  # ISO 8601, UTC
    facts: HostFacts
    disks: tuple[Disk, ...]
    pools: tuple[Pool, ...]
    datasets: tuple[Dataset, ...]
    arrays: tuple[MdArray, ...] = ()
    boot: BootNotes = BootNotes()
    enclosures: tuple[Enclosure, ...] = ()
    units: tuple[Unit, ...] = ()
    chassis: str | None = None  # name of the chassis that was set; None while bays follow the order of ports
    bays: tuple[Bay, ...] = ()  # group by group, filled in by `disks`
    gone: tuple[Absent, ...] = ()  # disks that were here once, filled in by `disks`
    snapshots: dict[str, tuple[Snapshot, ...]] = {}  # of the datasets that were asked for
    schedules: tuple[Schedule, ...] = ()  # filled in by `jobs`
    accounts: Accounts = Accounts()
    sharing: Sharing = Sharing()  # filled in by `shares`
    backups: Backups = Backups()  # filled in by `backups`
    served: Served = Served()
    replicating: Replicating = Replicating()  # filled in by `replication`, as what follows
    rewrites: tuple[Rewrite, ...] = ()
    naming: Naming = Naming()
    network: Network = Network()
    swap: Swap = Swap()
    arc: ArcLimit = ArcLimit()
    moved: MovedState = MovedState()
    importable: Importable | None = None  # only where a plan needs it: to read labels wakes every disk
    keeping: tuple[Dataset, ...] = ()  # copies of the console's settings, /var and /home: in no list
    answers: dict[str, Any] = {}  # answers to the questions that a plan asks beforehand, by their names

    def disk(self, disk_id: str) -> Disk | None:
        """The disk that has `disk_id` among its by-id links."""
        return next((disk for disk in self.disks if disk_id in disk.links), None)

    def nameless(self, kname: str) -> Disk | None:
        """The disk that is called by its kernel name, having no link. To show it alone: before anything is
        done with that name it may be another disk's."""
        return next((disk for disk in self.disks if not disk.links and disk.id == kname), None)

    def seat(self, label: str, group: str | None = None) -> Bay | None:
        """The bay of that label, in `group` where labels repeat."""
        return next((bay for bay in self.bays if bay.label == label and group in (None, bay.group)), None)

    def pool(self, name: str) -> Pool | None:
        """The imported pool of that name."""
        return next((pool for pool in self.pools if pool.name == name), None)

    def array(self, name: str) -> MdArray | None:
        """The md array of that name."""
        return next((array for array in self.arrays if array.name == name), None)

    def dataset(self, name: str) -> Dataset | None:
        """The dataset of that name."""
        return next((dataset for dataset in self.datasets if dataset.name == name), None)

    def rewrite(self, name: str) -> Rewrite | None:
        """The rewriting of the dataset of that name."""
        return next((one for one in self.rewrites if one.dataset == name), None)

    def left(self, leaf: Vdev) -> Absent | None:
        """The disk that was behind a leaf and is gone, as far as it is remembered."""
        if leaf.disk is not None or leaf.children:
            return None
        gone = {absent.id: absent for absent in self.gone}
        gone |= {bay.missing.id: bay.missing for bay in self.bays if bay.missing is not None}
        return gone.get(leaf.link)

    def below(self, name: str) -> tuple[Dataset, ...]:
        """All datasets under `name`, without itself, parents before children."""
        return tuple(dataset for dataset in self.datasets if dataset.name.startswith(f"{name}/"))

"""What the tests do again and again on the host under test."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from host.base import CommandFailed, Host, Result
from host.commands.base import Command
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy, ZfsGetSome, ZfsListNames
from host.commands.disks.md import MdState
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures, WritePartition
from host.commands.facts import DiskLinks, LoopFiles, Lsblk
from host.commands.pools.importing import ZpoolImport
from host.commands.pools.zpool import Role, VdevSpec, ZpoolCreate, ZpoolDestroy, ZpoolGet, ZpoolStatus
from host.families import Families, Family
from host.inventory import Dataset, Disk, HostFacts, Inventory, MdArray, Pool, Property, Vdev, leaves
from host.layouts import Layout
from host.lines import rows
from host.probe.cache import ProbeCache
from host.probe.datasets.datasets import parse_zfs_get, read_datasets
from host.probe.datasets.received import Received
from host.probe.disks.arrays import parse_arrays
from host.probe.disks.disks import Links, parse_disk_links, parse_lsblk
from host.probe.facts import probe_facts
from host.probe.known import Known
from host.probe.membership import settle
from host.probe.pools.pools import parse_zpool_get, parse_zpool_status
from host.probe.whole import probe

POOL, SECOND_POOL = "contract", "contract2"
POOLS = (POOL, SECOND_POOL)
ROOT = {"acltype": "posixacl", "atime": "off", "compression": "lz4", "dedup": "off", "xattr": "sa"}
_ATTEMPTS = 120
MEMBERS: Families = frozenset({Family.DISKS, Family.POOLS})
Settings = dict[str, dict[str, str]]  # properties of pools, by their names
Wanted = tuple[Role, Layout, int]  # role, layout, number of devices


_memories: WeakKeyDictionary[Host, ProbeCache] = WeakKeyDictionary()
_received: WeakKeyDictionary[Host, Received] = WeakKeyDictionary()
_facts: WeakKeyDictionary[Host, HostFacts] = WeakKeyDictionary()


def memory(host: Host) -> ProbeCache:
    """What the suite knows of a host: for good, because to read it all anew takes long in emulation."""
    return _memories.setdefault(host, ProbeCache(known=Known(young_s=math.inf)))


def read_inventory(host: Host, fresh: Families) -> Inventory:
    """The machine as a probe has it: `fresh` is read now, the rest may be as it was when the suite began.

    Many commands: for what a probe makes of them, and for plans.
    """
    return probe(host, cache=memory(host), fresh=fresh)


def read_facts(host: Host) -> HostFacts:
    """What the machine is, apart from its storage; read once."""
    if host not in _facts:
        _facts[host] = probe_facts(host)
    return _facts[host]


def read_disks(host: Host) -> tuple[Disk, ...]:
    """The disks as a probe has them."""
    return read_members(host)[0]


def read_members(host: Host) -> tuple[tuple[Disk, ...], tuple[Pool, ...]]:
    """Disks with the pools that claim them, and pools whose leaves name their disks.

    Five commands of the many of a probe: each takes time on an emulated machine.
    """
    pools = parse_zpool_status(host.run(ZpoolStatus()).stdout, parse_zpool_get(host.run(ZpoolGet()).stdout))
    tree, links = _devices(host)
    return settle(tree, links, pools, host, memory(host).labels)


def read_array(host: Host, name: str) -> MdArray | None:
    """The md array of that name, as a probe has it; None where there is none."""
    tree, links = _devices(host)
    arrays = parse_arrays(
        host.run(MdState()).stdout, tree, links, settle(tree, links, (), host, memory(host).labels)[0]
    )
    return next((array for array in arrays if array.name == name), None)


def _devices(host: Host) -> tuple[list[dict[str, Any]], Links]:
    tree = parse_lsblk(host.run(Lsblk()).stdout, host.run(LoopFiles()).stdout)
    return tree, parse_disk_links(host.run(DiskLinks()).stdout)


def partition_mib(disk: Disk) -> int:
    """How long plans make the partition of a disk."""
    return (disk.size_bytes - min(2 << 30, disk.size_bytes // 100)) // (1 << 20) - 1


class PreparingHost:
    """A host that prepares anew, and once, what left a pool before the pool's end.

    Destroying a pool does not change the labels of such partitions, so that the test that meets them next, in
    whichever order, is refused for what another one did.
    """

    def __init__(self, host: Host, disks: tuple[Disk, ...]) -> None:
        self.plain = host
        self._disks = disks
        self.kind = host.kind
        self.pools: set[str] = set()  # which may be there

    def run(self, command: Command) -> Result:
        """As the host's own."""
        match command:
            case ZpoolCreate(name=name) if name in POOLS:
                self.pools.add(name)
            case ZpoolImport():  # it may be asked for by its guid
                self.pools.update(POOLS)
        try:
            return self.plain.run(command)
        except CommandFailed as failure:
            if not self._prepare_again(failure.result.stderr):
                raise
            return self.plain.run(command)

    def end(self) -> None:
        """Destroy the pools of this suite, and no other."""
        while self.pools:
            try:
                self.plain.run(ZpoolDestroy(name=self.pools.pop()))
            except CommandFailed as failure:
                if "no such pool" not in failure.result.stderr:
                    raise

    def _prepare_again(self, said: str) -> bool:
        # The second: a test that failed between an export and the import after it.
        words = ("potentially active pool", "exported pool")
        former = [
            disk
            for disk in self._disks
            if any(f"{disk.link}-part1 is part of {kind} '{POOL}" in said for kind in words)
        ]
        for disk in former:
            self.plain.run(WipeSignatures(disk=disk.link, partitions=(1,)))
            self.plain.run(WritePartition(disk=disk.link, size_mib=partition_mib(disk)))
        if former:
            self.plain.run(UdevWait(links=tuple(f"{disk.link}-part1" for disk in former)))
        return bool(former)


class Bench:
    """A host with prepared partitions."""

    def __init__(self, host: Host, disks: tuple[Disk, ...]) -> None:
        self.host = PreparingHost(host, disks)
        self._plain = host
        self.parts = tuple(f"{disk.link}-part1" for disk in disks)
        self._numbers = itertools.count(1)
        self._made: list[str] = []

    def command(self, *wanted: Wanted, name: str = POOL, first: int = 0, force: bool = False) -> ZpoolCreate:
        """The command that makes a pool of these vdevs, from the partition `first` on."""
        free = iter(self.parts[first:])
        return ZpoolCreate(
            name=name,
            vdevs=tuple(
                VdevSpec(role=role, layout=layout, devices=tuple(itertools.islice(free, count)))
                for role, layout, count in wanted
            ),
            mountpoint=f"/mnt/{name}",
            properties={"ashift": "12", "autoexpand": "on"},
            root_properties=ROOT,
            force=force,
        )

    def create(self, *wanted: Wanted, name: str = POOL, first: int = 0, force: bool = False) -> Pool:
        """Make a pool and give back what ZFS then says of it, as `status` does."""
        self.host.run(self.command(*wanted, name=name, first=first, force=force))
        return self.status(name)

    def refuse(self, command: Command) -> Result:
        """Run a command that must fail, and give back how it did."""
        with pytest.raises(CommandFailed) as failure:
            self.host.run(command)
        return failure.value.result

    def inventory(self) -> Inventory:
        """The machine, with its disks and pools as they are now."""
        return read_inventory(self._plain, MEMBERS)

    def status(self, name: str = POOL) -> Pool:
        """An imported pool, its leaves not brought together with disks: two quick commands."""
        return self._status(name, self._settings())

    def _settings(self) -> Settings:
        return parse_zpool_get(self.host.run(ZpoolGet()).stdout)

    def _status(self, name: str, settings: Settings) -> Pool:
        pools = parse_zpool_status(self.host.run(ZpoolStatus()).stdout, settings)
        return next(pool for pool in pools if pool.name == name)

    def health(self) -> dict[str, str]:
        """Of the imported pools of this suite, by name: one quick command."""
        pools = parse_zpool_status(self.host.run(ZpoolStatus()).stdout, {})
        return {pool.name: pool.health for pool in pools if pool.name in POOLS}

    def until(self, holds: Callable[[Pool], bool], name: str = POOL) -> Pool:
        """The pool once something holds of it. Each read takes a while: nothing has to sleep.

        Its properties, a second command, are read with every eighth try, and once it holds.
        """
        settings: Settings = {}
        for attempt in range(_ATTEMPTS):
            settings = settings if attempt % 8 else self._settings()
            if holds(self._status(name, settings)) and holds(pool := self.status(name)):
                return pool
        pytest.fail(f"It never came to hold of {pool}")

    def leaves(self, name: str = POOL) -> list[Vdev]:
        """The leaves of the data vdevs, in their order."""
        return [leaf for vdev in self.status(name).vdevs if vdev.role == "data" for leaf in leaves(vdev)]

    def datasets(self) -> tuple[Dataset, ...]:
        """All datasets: two commands, a third where one is new; a whole probe costs many, each its time."""
        known = _received.setdefault(self._plain, Received())
        return known.settle(self.host, read_datasets(self.host))

    def dataset(self, name: str) -> Dataset:
        """A dataset that exists, but for what it received: one command."""
        (found,) = parse_zfs_get(self.host.run(ZfsGetSome(names=(name,))).stdout)
        return found

    def destroy_volume(self, name: str) -> None:
        """Destroy a volume, which udev may still have open: ZFS calls it busy then."""
        self.host.run(UdevSettle())
        self.host.run(ZfsDestroy(name=name))

    def below(self, name: str) -> list[str]:
        """The names of the datasets under `name`, without its own path."""
        prefix = f"{name}/"
        names = [row[0] for row in rows(self.host.run(ZfsListNames()).stdout, 2)]
        return [one.removeprefix(prefix) for one in names if one.startswith(prefix)]

    def value(self, dataset: str, name: str) -> Property:
        """A property of a dataset."""
        return self.dataset(dataset).properties[name]

    def fresh(self, **properties: str) -> str:
        """A new file system of the shared pool, under a name that no other test has."""
        name = f"{POOL}/fs{next(self._numbers)}"
        self.host.run(ZfsCreate(name=name, properties=properties))
        self._made.append(name)
        return name

    def tidy(self) -> None:
        """Destroy what `fresh` made where possible: each dataset that stays makes every probe longer."""
        while self._made:
            with suppress(CommandFailed):
                self.host.run(ZfsDestroy(name=self._made.pop(), recursive=True))

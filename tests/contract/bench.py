"""What the tests do again and again on the host under test."""

from __future__ import annotations

import itertools

import pytest

from host.base import CommandFailed, Host, Result
from host.commands import Command, VdevSpec, ZfsCreate, ZfsGet, ZpoolCreate
from host.commands.zpool import Layout, Role
from host.inventory import Dataset, Inventory, Pool, Property
from host.probe import Memory, probe
from host.probe.datasets import parse_zfs_get

POOL, SECOND_POOL = "contract", "contract2"
POOLS = (POOL, SECOND_POOL)
ROOT = {"acltype": "posixacl", "atime": "off", "compression": "lz4", "dedup": "off", "xattr": "sa"}
Wanted = tuple[Role, Layout, int]  # role, layout, number of devices


class Bench:
    """A host with prepared partitions."""

    def __init__(self, host: Host, parts: tuple[str, ...]) -> None:
        self.host = host
        self.parts = parts
        self._numbers = itertools.count(1)
        self._memory = Memory()

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
        """Make a pool and give back what the machine then says of it."""
        self.host.run(self.command(*wanted, name=name, first=first, force=force))
        return self.pool(name)

    def refuse(self, command: Command) -> Result:
        """Run a command that must fail, and give back how it did."""
        with pytest.raises(CommandFailed) as failure:
            self.host.run(command)
        return failure.value.result

    def look(self) -> Inventory:
        """The machine as it is now."""
        return probe(self.host, memory=self._memory)

    def pool(self, name: str = POOL) -> Pool:
        """An imported pool."""
        found = self.look().pool(name)
        assert found is not None
        return found

    def datasets(self) -> tuple[Dataset, ...]:
        """All datasets: one command, where a whole look costs many on an emulated machine."""
        return parse_zfs_get(self.host.run(ZfsGet()).stdout)

    def dataset(self, name: str) -> Dataset:
        """A dataset that exists."""
        return next(dataset for dataset in self.datasets() if dataset.name == name)

    def below(self, name: str) -> list[str]:
        """The names of the datasets under `name`, without its own path."""
        prefix = f"{name}/"
        return [one.name.removeprefix(prefix) for one in self.datasets() if one.name.startswith(prefix)]

    def value(self, dataset: str, name: str) -> Property:
        """A property of a dataset."""
        return self.dataset(dataset).properties[name]

    def fresh(self, **properties: str) -> str:
        """A new file system of the shared pool, under a name that no other test has."""
        name = f"{POOL}/fs{next(self._numbers)}"
        self.host.run(ZfsCreate(name=name, properties=properties))
        return name

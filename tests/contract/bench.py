"""What the tests do again and again on the host under test."""

from __future__ import annotations

import itertools

import pytest

from host.base import CommandFailed, Host, Result
from host.commands import Command, VdevSpec, ZfsCreate, ZpoolCreate
from host.commands.zpool import Layout, Role
from host.inventory import Dataset, Inventory, Pool, Property
from host.probe import probe

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
        return probe(self.host)

    def pool(self, name: str = POOL) -> Pool:
        """An imported pool."""
        found = self.look().pool(name)
        assert found is not None
        return found

    def dataset(self, name: str) -> Dataset:
        """A dataset that exists."""
        found = self.look().dataset(name)
        assert found is not None
        return found

    def value(self, dataset: str, name: str) -> Property:
        """A property of a dataset."""
        return self.dataset(dataset).properties[name]

    def fresh(self, **properties: str) -> str:
        """A new file system of the shared pool, under a name that no other test has."""
        name = f"{POOL}/fs{next(self._numbers)}"
        self.host.run(ZfsCreate(name=name, properties=properties))
        return name

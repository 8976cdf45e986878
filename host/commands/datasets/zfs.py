"""Commands of zfs(8)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import (
    Command,
    DatasetName,
    DatasetsCommand,
    Fed,
    Mounting,
    PropertyName,
    PropertyValue,
    SecretReference,
    options,
)
from host.commands.datasets.keys import fed
from host.commands.datasets.settable import MOUNTING, check_dataset, check_inherit
from host.system.own_datasets import check_made

MARK = "nasweb:auto"  # the user property of snapshots that policies have taken (`pools.policies.names`)


class ZfsCreate(DatasetsCommand, frozen=True, kw_only=True):
    """Make a file system, or a volume of `volume_bytes`; its parents must exist."""

    name: DatasetName
    properties: dict[PropertyName, PropertyValue] = {}
    volume_bytes: Annotated[int, Meta(ge=512)] | None = None
    sparse: bool = False
    secret: SecretReference | None = None  # of a new encryption root; keyformat says of what kind

    def __post_init__(self) -> None:
        check_dataset(self.properties)
        check_made(self.name, self.properties, volume=self.volume_bytes is not None)

    def mounting(self) -> Mounting | None:
        place = self.properties.get("mountpoint")
        return None if self.volume_bytes is not None else Mounting(then=self.name, place=place)

    def feeds(self) -> Fed | None:
        return None if self.secret is None else fed(self.secret, self.properties.get("keyformat", ""))

    def argv(self) -> tuple[str, ...]:
        volume = () if self.volume_bytes is None else ("-V", str(self.volume_bytes))
        sparse = ("-s",) if self.sparse else ()
        return ("zfs", "create", *sparse, *options("-o", self.properties), *volume, self.name)


class ZfsSet(DatasetsCommand, frozen=True, kw_only=True):
    """Set properties locally; all of them or, where ZFS refuses one, none of those it checks first."""

    name: DatasetName
    properties: Annotated[dict[PropertyName, PropertyValue], Meta(min_length=1)]

    def __post_init__(self) -> None:
        check_dataset(self.properties)

    def mounting(self) -> Mounting | None:
        place, every = self.properties.get("mountpoint"), bool(MOUNTING & self.properties.keys())
        if place is not None or every:
            return Mounting(now=self.name, place=place, below=True, every=every)
        # Mounted from the next start on, if not now.
        by_itself = self.properties.get("canmount", "off") != "off"
        return Mounting(now=self.name) if by_itself else None

    def argv(self) -> tuple[str, ...]:
        pairs = (f"{name}={self.properties[name]}" for name in sorted(self.properties))
        return ("zfs", "set", *pairs, self.name)


class ZfsInherit(DatasetsCommand, frozen=True, kw_only=True):
    """Drop a local value, so that the property is inherited (or default) again.

    A received value is dropped with it, unless `received` asks to go back to that one (-S).
    """

    name: DatasetName
    property: PropertyName
    received: bool = False

    def __post_init__(self) -> None:
        check_inherit(self.property)

    def mounting(self) -> Mounting | None:
        if self.property in MOUNTING:
            return Mounting(now=self.name, below=True, every=True)
        if self.property != "mountpoint":
            return None
        return Mounting(now=self.name, below=True, inherits=True, received=self.received)

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "inherit", *(("-S",) if self.received else ()), self.property, self.name)


class ZfsDestroy(DatasetsCommand, frozen=True, kw_only=True):
    """Destroy a dataset; with `recursive` also its children and snapshots, never clones elsewhere."""

    timeout_s = 600.0
    name: DatasetName
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "destroy", *(("-r",) if self.recursive else ()), self.name)


class ZfsMount(DatasetsCommand, frozen=True, kw_only=True):
    """Mount one file system. What its folder holds is hidden then, unless `overlay=off` refuses that.

    Never over a folder of the system, whatever a pool that was prepared elsewhere says.
    """

    name: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "mount", self.name)

    def mounting(self) -> Mounting:
        return Mounting(now=self.name)


class ZfsUnmount(DatasetsCommand, frozen=True, kw_only=True):
    """Unmount one file system and all that is mounted below it. Fails while it is busy."""

    name: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "unmount", self.name)


class ZfsGet(Command, frozen=True, kw_only=True):
    """Every property of every file system and volume with its source, tab-separated.

    Not what was received and lies hidden: that costs many times as much, see `ZfsGetReceived`.
    """

    reads = True
    timeout_s = 120.0

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "get", "-Hp", "-t", "filesystem,volume", "-o", "name,property,value,source", "all")


class ZfsMountpoints(Command, frozen=True, kw_only=True):
    """Where a file system, and those `below` it, are mounted, with what was received and the source."""

    reads = True
    name: DatasetName
    below: bool = False

    def argv(self) -> tuple[str, ...]:
        shape = ("-t", "filesystem", "-o", "name,value,received,source")
        return ("zfs", "get", "-Hp", *(("-r",) if self.below else ()), *shape, "mountpoint", self.name)


class ZfsGetSome(Command, frozen=True, kw_only=True):
    """The properties of some datasets; status 1 where one of them is gone."""

    reads = True
    timeout_s = 120.0
    good_exits = (0, 1)
    names: Annotated[tuple[DatasetName, ...], Meta(min_length=1, max_length=200)]

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "get", "-Hp", "-o", "name,property,value,source", "all", *self.names)


class ZfsListNames(Command, frozen=True, kw_only=True):
    """Name and guid of every file system and volume, tab-separated: nobody chooses what is in them.

    With `below` of that one and of all below it.
    """

    reads = True
    timeout_s = 120.0
    below: DatasetName | None = None

    def argv(self) -> tuple[str, ...]:
        of = () if self.below is None else ("-r", self.below)
        return ("zfs", "list", "-Hp", "-t", "filesystem,volume", "-o", "name,guid", *of)


class ZfsGetReceived(Command, frozen=True, kw_only=True):
    """What some datasets received with copies, tab-separated; status 1 where one of them is gone."""

    reads = True
    timeout_s = 120.0
    good_exits = (0, 1)
    names: Annotated[tuple[DatasetName, ...], Meta(min_length=1, max_length=200)]

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "get", "-Hp", "-o", "name,property,received", "all", *self.names)


class ZfsVersion(Command, frozen=True, kw_only=True):
    """Versions of the userland and of the loaded kernel module, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "version", "-j")


Commands = (
    ZfsCreate
    | ZfsSet
    | ZfsInherit
    | ZfsDestroy
    | ZfsMount
    | ZfsUnmount
    | ZfsGet
    | ZfsMountpoints
    | ZfsGetSome
    | ZfsListNames
    | ZfsGetReceived
    | ZfsVersion
)

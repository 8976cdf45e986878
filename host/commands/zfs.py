"""Commands of zfs(8)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import (
    Command,
    DatasetName,
    PropertyName,
    PropertyValue,
    SnapshotName,
    SnapshotTag,
    options,
)

SNAPSHOT_COLUMNS = ("name", "guid", "creation", "used", "referenced", "userrefs", "clones")


class ZfsCreate(Command, frozen=True, kw_only=True):
    """Make a file system, or a volume of `volume_bytes`; its parents must exist."""

    name: DatasetName
    properties: dict[PropertyName, PropertyValue] = {}
    volume_bytes: Annotated[int, Meta(ge=512)] | None = None
    sparse: bool = False

    def argv(self) -> tuple[str, ...]:
        volume = () if self.volume_bytes is None else ("-V", str(self.volume_bytes))
        sparse = ("-s",) if self.sparse else ()
        return ("zfs", "create", *sparse, *options("-o", self.properties), *volume, self.name)


class ZfsSet(Command, frozen=True, kw_only=True):
    """Set properties locally; all of them or, where ZFS refuses one, none of those it checks first."""

    name: DatasetName
    properties: Annotated[dict[PropertyName, PropertyValue], Meta(min_length=1)]

    def argv(self) -> tuple[str, ...]:
        pairs = (f"{name}={self.properties[name]}" for name in sorted(self.properties))
        return ("zfs", "set", *pairs, self.name)


class ZfsInherit(Command, frozen=True, kw_only=True):
    """Drop a local value, so that the property is inherited (or default) again."""

    name: DatasetName
    property: PropertyName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "inherit", self.property, self.name)


class ZfsDestroy(Command, frozen=True, kw_only=True):
    """Destroy a dataset; with `recursive` also its children and snapshots, never clones elsewhere."""

    timeout_s = 600.0
    name: DatasetName
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "destroy", *(("-r",) if self.recursive else ()), self.name)


class ZfsSnapshot(Command, frozen=True, kw_only=True):
    """Take snapshots in one transaction; all must lie in one pool."""

    timeout_s = 120.0
    names: Annotated[tuple[SnapshotName, ...], Meta(min_length=1, max_length=2000)]
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "snapshot", *(("-r",) if self.recursive else ()), *self.names)


class ZfsDestroySnapshots(Command, frozen=True, kw_only=True):
    """Destroy snapshots of one dataset, with `recursive` the same names below it too."""

    timeout_s = 600.0
    dataset: DatasetName
    tags: Annotated[tuple[SnapshotTag, ...], Meta(min_length=1, max_length=1000)]
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        flag = ("-r",) if self.recursive else ()
        return ("zfs", "destroy", *flag, f"{self.dataset}@{','.join(self.tags)}")


class ZfsGet(Command, frozen=True, kw_only=True):
    """Every property of every file system and volume with its source, tab-separated."""

    reads = True
    timeout_s = 120.0

    def argv(self) -> tuple[str, ...]:
        columns = "name,property,value,received,source"
        return ("zfs", "get", "-Hp", "-t", "filesystem,volume", "-o", columns, "all")


class ZfsListSnapshots(Command, frozen=True, kw_only=True):
    """The snapshots of a dataset, oldest first, tab-separated `SNAPSHOT_COLUMNS`.

    Those of its children are left out unless `recursive`.
    """

    reads = True
    timeout_s = 300.0
    dataset: DatasetName
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        depth = ("-r",) if self.recursive else ("-d", "1")
        columns = ",".join(SNAPSHOT_COLUMNS)
        order = ("-s", "createtxg", "-o", columns)
        return ("zfs", "list", "-Hp", "-t", "snapshot", *depth, *order, self.dataset)


class ZfsVersion(Command, frozen=True, kw_only=True):
    """Versions of the userland and of the loaded kernel module, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "version", "-j")

"""Commands of zfs(8) that read and change snapshots."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import (
    Command,
    DatasetName,
    DatasetsCommand,
    HoldTag,
    Mounting,
    PropertyName,
    PropertyValue,
    SnapshotName,
    SnapshotRange,
    SnapshotTag,
    options,
)
from host.commands.datasets.settable import check_dataset, check_user
from host.commands.datasets.zfs import MARK
from host.system.own_datasets import check_others

# What zfs can list of a snapshot without opening it ("fast" properties since OpenZFS 2.1.6): opening costs a
# read from the pool each, minutes for some thousand on cold disks.
LISTED_COLUMNS = ("name", "guid", "createtxg")
DETAIL_COLUMNS = (
    "name", "guid", "createtxg", "creation", "used", "referenced", "userrefs", "defer_destroy", "clones",
    MARK,
)  # fmt: skip
# In one command: 1 000 names of 255 bytes are an eighth of the 2 MiB that Linux lets arguments have.
MOST_NAMES = 1000
_Names = Annotated[tuple[SnapshotName, ...], Meta(min_length=1, max_length=MOST_NAMES)]


class ZfsSnapshot(DatasetsCommand, frozen=True, kw_only=True):
    """Take snapshots in one transaction; all must lie in one pool. User properties go on each of them."""

    timeout_s = 120.0
    names: Annotated[tuple[SnapshotName, ...], Meta(min_length=1, max_length=2000)]
    recursive: bool = False
    properties: dict[PropertyName, PropertyValue] = {}

    def __post_init__(self) -> None:
        check_user(self.properties)

    def argv(self) -> tuple[str, ...]:
        flags = ("-r",) if self.recursive else ()
        return ("zfs", "snapshot", *flags, *options("-o", self.properties), *self.names)


class ZfsDestroySnapshots(DatasetsCommand, frozen=True, kw_only=True):
    """Destroy snapshots of one dataset, with `recursive` the same names below it too.

    All names are one argument, which may have 128 KiB: `jobs` gives 500 at a time.
    """

    timeout_s = 600.0
    dataset: DatasetName
    tags: Annotated[tuple[SnapshotTag, ...], Meta(min_length=1, max_length=1000)]
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        flag = ("-r",) if self.recursive else ()
        return ("zfs", "destroy", *flag, f"{self.dataset}@{','.join(self.tags)}")


class ZfsReclaim(Command, frozen=True, kw_only=True):
    """What a destruction of these would destroy, and the bytes that would be free then; nothing is done."""

    reads = True
    timeout_s = 120.0
    dataset: DatasetName
    tags: Annotated[tuple[SnapshotRange, ...], Meta(min_length=1, max_length=1000)]
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        flags = "-nvpr" if self.recursive else "-nvp"
        return ("zfs", "destroy", flags, f"{self.dataset}@{','.join(self.tags)}")


class ZfsListSnapshots(Command, frozen=True, kw_only=True):
    """The snapshots of datasets, with `recursive` of all below too: tab-separated `LISTED_COLUMNS`, by name.

    Status 1 where one of the datasets is gone meanwhile; those of the others are listed all the same.
    """

    reads = True
    timeout_s = 300.0
    good_exits = (0, 1)
    datasets: Annotated[tuple[DatasetName, ...], Meta(min_length=1, max_length=MOST_NAMES)]
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        depth = ("-r",) if self.recursive else ("-d", "1")
        shape = ("-s", "name", "-o", ",".join(LISTED_COLUMNS))
        return ("zfs", "list", "-Hp", "-t", "snapshot", *depth, *shape, *self.datasets)


class ZfsSnapshotDetails(Command, frozen=True, kw_only=True):
    """More of some snapshots: tab-separated `DETAIL_COLUMNS`. Status 1 where one is gone meanwhile."""

    reads = True
    timeout_s = 300.0
    good_exits = (0, 1)
    names: _Names

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "list", "-Hp", "-t", "snapshot", "-o", ",".join(DETAIL_COLUMNS), *self.names)


class ZfsHold(DatasetsCommand, frozen=True, kw_only=True):
    """Put a hold called `tag` on snapshots. While it is there they cannot be destroyed. One that has it
    already is an error, the others are held all the same."""

    names: _Names
    tag: HoldTag
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "hold", *(("-r",) if self.recursive else ()), self.tag, *self.names)


class ZfsRelease(DatasetsCommand, frozen=True, kw_only=True):
    """Take the hold called `tag` off snapshots. One that was to be destroyed once it is free goes then."""

    names: _Names
    tag: HoldTag
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "release", *(("-r",) if self.recursive else ()), self.tag, *self.names)


class ZfsHolds(Command, frozen=True, kw_only=True):
    """The holds on snapshots: name, tag and seconds since 1970, tab-separated. Status 1 where one is gone."""

    reads = True
    good_exits = (0, 1)
    names: _Names

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "holds", "-Hp", *self.names)


class ZfsClone(DatasetsCommand, frozen=True, kw_only=True):
    """Make a file system or volume that starts as the snapshot was. It lies in the same pool."""

    snapshot: SnapshotName
    name: DatasetName
    properties: dict[PropertyName, PropertyValue] = {}

    def __post_init__(self) -> None:
        check_dataset(self.properties)
        check_others(self.name)

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "clone", *options("-o", self.properties), self.snapshot, self.name)

    def mounting(self) -> Mounting:
        return Mounting(then=self.name, place=self.properties.get("mountpoint"))


class ZfsRollback(DatasetsCommand, frozen=True, kw_only=True):
    """Put a dataset back to a snapshot. `newer` destroys the snapshots and bookmarks since, `clones` (with
    it) what was cloned from those too. It knows no datasets below.

    One that is held ends it halfway: those that are younger still are gone then, and nothing is rolled back.
    """

    timeout_s = 600.0
    snapshot: SnapshotName
    newer: bool = False
    clones: bool = False

    def argv(self) -> tuple[str, ...]:
        flag = ("-R",) if self.clones else ("-r",) if self.newer else ()
        return ("zfs", "rollback", *flag, self.snapshot)


class ZfsRenameSnapshot(DatasetsCommand, frozen=True, kw_only=True):
    """Give a snapshot another name, with `recursive` those of the same name below too."""

    name: SnapshotName
    tag: SnapshotTag
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        flag = ("-r",) if self.recursive else ()
        return ("zfs", "rename", *flag, self.name, f"{self.name.partition('@')[0]}@{self.tag}")


class ZfsDiff(Command, frozen=True, kw_only=True):
    """What changed in a file system between a snapshot and a later one, or now: time, kind of change, kind of
    file, path and, where renamed, the new path, tab-separated; odd bytes as `\\0ooo`. Cut off where it says
    too much."""

    reads = True
    timeout_s = 300.0
    most_bytes = 8 << 20
    older: SnapshotName
    newer: SnapshotName | None = None

    def argv(self) -> tuple[str, ...]:
        newer = self.older.partition("@")[0] if self.newer is None else self.newer
        return ("zfs", "diff", "-FHt", self.older, newer)


Commands = (
    ZfsSnapshot
    | ZfsDestroySnapshots
    | ZfsReclaim
    | ZfsListSnapshots
    | ZfsSnapshotDetails
    | ZfsHold
    | ZfsRelease
    | ZfsHolds
    | ZfsClone
    | ZfsRollback
    | ZfsRenameSnapshot
    | ZfsDiff
)

"""What a run of a replication reads and marks at either side: datasets, and what a stream can start from.

Programs alone use these (`host.programs.replicate`, and `host.programs.peer` for another machine): the helper
takes none of them from the worker.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, DatasetName, SnapshotName, SnapshotTag

POINT_COLUMNS = ("name", "guid", "createtxg")  # zfs lists them without opening a snapshot
DATASET_COLUMNS = (
    "name", "guid", "type", "written", "available", "encryption", "keystatus", "receive_resume_token",
)  # fmt: skip
_COMPONENT = r"(?!\.{1,2}\Z)[A-Za-z0-9_.:\-]+"
Bookmark = Annotated[str, Meta(pattern=rf"\A{_COMPONENT}\Z", max_length=200)]
MOST_AT_ONCE = 200  # as JSON in one argument, too, which may have 128 KiB
_Snapshots = Annotated[tuple[SnapshotName, ...], Meta(min_length=1, max_length=MOST_AT_ONCE)]


class ListDatasets(Command, frozen=True, kw_only=True):
    """File systems and volumes, with `recursive` all below: tab-separated `DATASET_COLUMNS`."""

    reads = True
    timeout_s = 300.0
    name: DatasetName
    recursive: bool = True

    def argv(self) -> tuple[str, ...]:
        depth = ("-r",) if self.recursive else ("-d", "0")
        shape = ("-o", ",".join(DATASET_COLUMNS), "-s", "name")
        return ("zfs", "list", "-Hp", *depth, "-t", "filesystem,volume", *shape, self.name)


class ListPoints(Command, frozen=True, kw_only=True):
    """The snapshots and bookmarks of a dataset and of all below it: tab-separated `POINT_COLUMNS`.

    With `recursive` False those of the dataset alone.
    """

    reads = True
    timeout_s = 600.0
    name: DatasetName
    recursive: bool = True

    def argv(self) -> tuple[str, ...]:
        depth = ("-r",) if self.recursive else ("-d", "1")
        shape = ("-o", ",".join(POINT_COLUMNS))
        return ("zfs", "list", "-Hp", *depth, "-t", "snapshot,bookmark", *shape, self.name)


class SnapshotTimes(Command, frozen=True, kw_only=True):
    """When snapshots were made: name and seconds since 1970, tab-separated. Status 1 where one is gone."""

    reads = True
    timeout_s = 300.0
    good_exits = (0, 1)
    snapshots: _Snapshots

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "list", "-Hp", "-t", "snapshot", "-o", "name,creation", *self.snapshots)


class TakePoint(Command, frozen=True, kw_only=True):
    """Take a snapshot, with `recursive` of all below in the same transaction."""

    timeout_s = 300.0
    snapshot: SnapshotName
    recursive: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "snapshot", *(("-r",) if self.recursive else ()), self.snapshot)


class MakeBookmark(Command, frozen=True, kw_only=True):
    """Remember a snapshot: a later stream can start from it although it is gone. It takes no space."""

    snapshot: SnapshotName
    bookmark: Bookmark

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "bookmark", self.snapshot, f"#{self.bookmark}")


class DestroyBookmark(Command, frozen=True, kw_only=True):
    """Forget a snapshot that is remembered."""

    dataset: DatasetName
    bookmark: Bookmark

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "destroy", f"{self.dataset}#{self.bookmark}")


class HoldPoints(Command, frozen=True, kw_only=True):
    """Let nobody destroy snapshots while streams of them are under way, or while they are the newest copies.

    Status 1: one is held so already, by a run that was cut off, or is gone; the others are held all the same.
    """

    timeout_s = 300.0
    good_exits = (0, 1)
    snapshots: _Snapshots
    tag: SnapshotTag

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "hold", self.tag, *self.snapshots)


class ReleasePoints(Command, frozen=True, kw_only=True):
    """Take such holds off. Status 1: one had none."""

    timeout_s = 300.0
    good_exits = (0, 1)
    snapshots: _Snapshots
    tag: SnapshotTag

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "release", self.tag, *self.snapshots)


class HoldsOf(Command, frozen=True, kw_only=True):
    """The holds on snapshots: name, tag and time, tab-separated. Status 1 where one is gone."""

    reads = True
    timeout_s = 300.0
    good_exits = (0, 1)
    snapshots: _Snapshots

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "holds", "-Hp", *self.snapshots)


PointCommands = (
    ListDatasets
    | ListPoints
    | SnapshotTimes
    | TakePoint
    | MakeBookmark
    | DestroyBookmark
    | HoldPoints
    | ReleasePoints
    | HoldsOf
)

"""Commands of zfs(8) that move datasets about, and the table of properties that ZFS knows."""

from __future__ import annotations

from host.commands.base import Command, DatasetName, DatasetsCommand, Mounting
from host.system.own_datasets import check_others


class ZfsRename(DatasetsCommand, frozen=True, kw_only=True):
    """Give a dataset another name in its pool, and so all below it. The new parent must exist.

    File systems that inherit their mountpoint are mounted at the new place; with `keep_mounts` they stay
    mounted where they are until they are mounted again (-u).
    """

    timeout_s = 300.0
    name: DatasetName
    to: DatasetName
    keep_mounts: bool = False

    def __post_init__(self) -> None:
        check_others(self.name, self.to)

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "rename", *(("-u",) if self.keep_mounts else ()), self.name, self.to)

    def mounting(self) -> Mounting:
        return Mounting(now=self.name, then=self.to, below=True)


class ZfsPromote(DatasetsCommand, frozen=True, kw_only=True):
    """Let a clone and the dataset that it grew from change places: snapshots up to its origin become its."""

    timeout_s = 300.0
    name: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "promote", self.name)


class ZfsPropertyTable(Command, frozen=True, kw_only=True):
    """Every native property with its values: what `zfs get` asked for nothing says on stderr."""

    reads = True
    good_exits = (2,)

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "get")


Commands = ZfsRename | ZfsPromote | ZfsPropertyTable

"""Reads which snapshots bear the mark of a policy as a property of their own."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, SnapshotName
from host.commands.datasets.zfs import MARK

FIRST = "userrefs"  # of each snapshot; nobody chooses its value


class ZfsGetMarks(Command, frozen=True, kw_only=True):
    """The marks of some snapshots with holds and clones, tab-separated: name, property, value, source.

    `zfs list` shows a mark that was inherited or received just like one that was set here; this one
    distinguishes them. A snapshot that is gone is left out, and makes the status 1.
    """

    reads = True
    timeout_s = 300.0
    good_exits = (0, 1)
    names: Annotated[tuple[SnapshotName, ...], Meta(min_length=1, max_length=2000)]

    def argv(self) -> tuple[str, ...]:
        columns = "name,property,value,source"
        return ("zfs", "get", "-Hp", "-o", columns, f"{FIRST},clones,{MARK}", *self.names)


Commands = ZfsGetMarks

"""What follows once a replica is current: marks for the next run, and what is no longer wanted."""

from __future__ import annotations

from datetime import datetime
from itertools import batched

from host.commands.replication.points import MOST_AT_ONCE, DestroyBookmark, HoldPoint, MakeBookmark
from host.commands.replication.streams import ForgetSnapshots
from host.commands.replication.task import Task
from host.programs.replicate.side import Side
from host.replication import marks
from host.replication.retention import expired
from host.replication.sides import Member, Point


class Settling:
    """Of one task, dataset by dataset. Each call raises `HostError`."""

    def __init__(self, task: Task, source: Side, target: Side) -> None:
        self._task, self._source, self._target = task, source, target
        self._here, self._there = source.tag(task.id), target.tag(task.id)

    def is_marked(self, source: Member, guid: str) -> bool:
        """Whether the next run knows where to start already."""
        return marks.bookmark(self._here, guid) in {point.name for point in source.bookmarks}

    def mark(self, source: Member, replica: Member, newest: Point) -> None:
        """Mark where the next stream starts, then let go of what marked it before."""
        mark = marks.bookmark(self._here, newest.guid)
        old = {point.name for point in source.bookmarks if point.name.startswith(f"{self._here}-")}
        here = next((point for point in source.snapshots if point.guid == newest.guid), None)
        if here is not None and mark not in old:
            self._source.run(MakeBookmark(snapshot=f"{source.name}@{here.name}", bookmark=mark))
        for one in sorted(old - {mark}):
            self._source.run(DestroyBookmark(dataset=source.name, bookmark=one))
        since = max((point.createtxg for point in source.bookmarks if point.name in old), default=0)
        self._source.release(
            (f"{source.name}@{point.name}" for point in source.snapshots if point.createtxg > since),
            self._here,
        )
        self._target.run(HoldPoint(snapshot=f"{replica.name}@{newest.name}", tag=self._there))
        before = {one.removeprefix(f"{self._here}-") for one in old} - {newest.guid}
        self._target.release(
            (f"{replica.name}@{point.name}" for point in replica.snapshots if point.guid in before),
            self._there,
        )

    def forget_own(self, source: Member, newest: Point) -> None:
        """Of its own snapshots the source keeps the newest alone: the replica has them all."""
        prefix = marks.own_prefix(self._task.id)
        old = [
            point for point in source.snapshots
            if point.name.startswith(prefix) and point.guid != newest.guid
        ]  # fmt: skip
        _forget(self._source, source.name, old)

    def forget_expired(self, replica: Member, newest: Point, now: datetime) -> int:
        """How many snapshots of the replica went, which its own retention no longer wants."""
        if self._task.retention is None:
            return 0
        made = self._target.times(f"{replica.name}@{point.name}" for point in replica.snapshots)
        known = [
            (point, made[name]) for point in replica.snapshots
            if (name := f"{replica.name}@{point.name}") in made
        ]  # fmt: skip
        gone = expired(known, self._task.retention, newest.guid, now.timestamp())
        _forget(self._target, replica.name, gone)
        return len(gone)


def _forget(side: Side, dataset: str, points: list[Point] | tuple[Point, ...]) -> None:
    for some in batched((point.name for point in points), MOST_AT_ONCE):
        side.run(ForgetSnapshots(name=dataset, tags=some))

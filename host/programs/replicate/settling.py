"""What follows once replicas are current: marks for the next run, and what is no longer wanted.

All at the end of a run, and one command for many: on another machine each takes a while. Until then the marks
of the run before are there, so a run that is cut off anywhere can go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from itertools import batched

import msgspec

from host.base import CommandFailed
from host.commands.replication.points import MOST_AT_ONCE, DestroyBookmark, MakeBookmark
from host.commands.replication.streams import ForgetSnapshots
from host.commands.replication.task import Task
from host.programs.replicate.side import CONNECTION_LOST, Side
from host.replication import marks
from host.replication.retention import expired
from host.replication.sides import Member, Point


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset as it lay at both sides, and the newest snapshot that both have, as the replica lists it."""

    source: Member
    replica: Member
    newest: Point

    @property
    def newest_name(self) -> str:
        """At the target."""
        return f"{self.replica.name}@{self.newest.name}"

    def names(self) -> Iterator[str]:
        """All snapshots at the target."""
        return (f"{self.replica.name}@{point.name}" for point in self.replica.snapshots)


class Settling:
    """Of one task. Each call raises `HostError`."""

    def __init__(self, task: Task, source: Side, target: Side) -> None:
        self._task, self._source, self._target = task, source, target
        self._here, self._there = source.tag(task.id), target.tag(task.id)

    def mark(self, copies: Sequence[Copy]) -> None:
        """Mark where the next streams start, then let go of what marked it before.

        Cut off after any of these steps, the next run finds what is left to do by the marks that are there.
        """
        new = [copy for copy in copies if set(self._marks(copy)) != {self._mark(copy)}]
        self._target.hold((copy.newest_name for copy in new), self._there)
        held = self._source.held((name for copy in copies for name in self._since(copy)), self._here)
        newest = {f"{copy.source.name}@{point.name}" for copy in copies if (point := _at_source(copy))}
        self._source.release((name for name in held if name not in newest), self._here)
        for copy in new:
            if (point := _at_source(copy)) and self._mark(copy) not in self._marks(copy):
                name = f"{copy.source.name}@{point.name}"
                self._source.run(MakeBookmark(snapshot=name, bookmark=self._mark(copy)))
        self._source.release((name for name in held if name in newest), self._here)
        self._target.release((name for copy in new for name in self._before(copy)), self._there)
        for copy in new:
            for one in sorted(set(self._marks(copy)) - {self._mark(copy)}):
                self._source.run(DestroyBookmark(dataset=copy.source.name, bookmark=one))

    def _mark(self, copy: Copy) -> str:
        return marks.bookmark(self._here, copy.newest.guid)

    def _marks(self, copy: Copy) -> dict[str, Point]:
        """The bookmarks of this task that were there before, by name."""
        return {one.name: one for one in copy.source.bookmarks if one.name.startswith(f"{self._here}-")}

    def _since(self, copy: Copy) -> Iterator[str]:
        """Snapshots of the source that this run, or one that was cut off, may have held."""
        since = min((one.createtxg for one in self._marks(copy).values()), default=0)
        return (
            f"{copy.source.name}@{point.name}" for point in copy.source.snapshots
            if point.createtxg >= since
        )  # fmt: skip

    def _before(self, copy: Copy) -> Iterator[str]:
        """Snapshots of the replica that were held as its newest."""
        guids = {one.removeprefix(f"{self._here}-") for one in self._marks(copy)} - {copy.newest.guid}
        return (
            f"{copy.replica.name}@{point.name}" for point in copy.replica.snapshots if point.guid in guids
        )

    def forget_own(self, source: Member, but: Set[str]) -> None:
        """Destroy the snapshots that the task took itself, but for those with these guids."""
        prefix = marks.own_prefix(self._task.id)
        own = [point for point in source.snapshots if point.name.startswith(prefix)]
        _forget(self._source, source.name, [point for point in own if point.guid not in but])

    def forget_expired(self, copies: Iterable[Copy], made: Mapping[str, int], now: datetime) -> None:
        """Destroy what its own retention no longer wants at the target. `made`: in seconds since 1970."""
        if self._task.retention is None:
            return
        for copy in copies:
            known = [
                (point, made[name])
                for point, name in zip(copy.replica.snapshots, copy.names(), strict=True)
                if name in made
            ]
            gone = expired(known, self._task.retention, copy.newest.guid, now.timestamp())
            _forget(self._target, copy.replica.name, gone)


def _at_source(copy: Copy) -> Point | None:
    return next((point for point in copy.source.snapshots if point.guid == copy.newest.guid), None)


def _forget(side: Side, dataset: str, points: Iterable[Point]) -> None:
    """What somebody else holds or has cloned stays, until a later run: ZFS then destroys none of the others
    named with it."""
    for some in batched((point.name for point in points), MOST_AT_ONCE):
        if not _destroyed(side, dataset, some) and len(some) > 1:
            for one in some:
                _destroyed(side, dataset, (one,))


def _destroyed(side: Side, dataset: str, tags: tuple[str, ...]) -> bool:
    try:
        side.run(ForgetSnapshots(name=dataset, tags=tags))
    except CommandFailed as error:
        if error.result.exit == CONNECTION_LOST:
            raise
        return False
    return True

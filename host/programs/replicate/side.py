"""One side of a replication, and what is asked of it: this machine, or another one over SSH."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import batched

from msgspec import structs

from host.base import Host
from host.commands.base import Command
from host.commands.replication.points import (
    MOST_AT_ONCE,
    DestroyBookmark,
    HoldPoints,
    HoldsOf,
    ListDatasets,
    ListPoints,
    ReleasePoints,
    SnapshotTimes,
)
from host.commands.replication.streams import SendRest, SendStream
from host.lines import rows
from host.programs.replicate.tokens import Unsendable, rest_of
from host.replication import marks
from host.replication.sides import Member, is_number, parse_members

CONNECTION_LOST = 255  # ssh's own exit status
_SECONDS_DIGITS = 11  # until the year 5138: another machine may say anything
Over = Callable[[Command], Command]  # the same, asked of the machine at the other end of a connection


def here(command: Command) -> Command:
    """An `Over` that leads nowhere else."""
    return command


class Side:
    """Datasets that lie at one place."""

    def __init__(self, host: Host, over: Over = here) -> None:
        self._host, self._over = host, over

    @property
    def elsewhere(self) -> bool:
        """Whether it lies on another machine."""
        return self._over is not here

    def tag(self, task: str) -> str:
        """What marks of a task are called on this side."""
        return marks.tag(task, elsewhere=self.elsewhere)

    def run(self, command: Command) -> str:
        """What it said. Raises `HostError`."""
        return self._host.run(self._over(command)).stdout

    def argv(self, command: Command) -> tuple[str, ...]:
        """How a program that takes or gives a stream is started for it from here."""
        return self._over(command).argv()

    def tree(self, name: str, *, recursive: bool = True) -> dict[str, Member]:
        """The dataset and all below it, by name. Raises `HostError`, also where it is not there."""
        datasets = self.run(ListDatasets(name=name, recursive=recursive))
        points = self.run(ListPoints(name=name, recursive=recursive))
        return {member.name: member for member in parse_members(datasets, points)}

    def size_of(self, stream: SendStream | SendRest) -> int | None:
        """The bytes of a stream, as zfs estimates them. Raises `HostError`."""
        dry = self.run(structs.replace(stream, dry=True))
        sizes = [row[1] for row in rows(dry, 2) if row[0] == "size" and is_number(row[1])]
        return int(sizes[-1]) if sizes else None

    def may_go_on(self, token: str, source: Member, *, raw: bool) -> bool:
        """Whether a broken stream that the other side names is one of `source`, and raw where it has to be.

        Another machine holds what it sends to the rights of this one, and gets tokens of this one alone.
        """
        if self.elsewhere:
            return True
        try:
            rest = rest_of(token, self._host)
        except Unsendable:
            return False
        dataset, _, tag = rest.snapshot.partition("@")
        known = any((point.name, point.guid) == (tag, str(rest.guid)) for point in source.snapshots)
        # A token says raw of what is encrypted alone, whatever it was sent with.
        return dataset == source.name and known and (rest.raw or not raw or not source.encrypted)

    def times(self, snapshots: Iterable[str]) -> dict[str, int]:
        """When they were made, in seconds since 1970; without those that are gone."""
        return {
            name: int(made)
            for some in batched(sorted(snapshots), MOST_AT_ONCE)
            for name, made in rows(self.run(SnapshotTimes(snapshots=some)), 2)
            if is_number(made) and len(made) <= _SECONDS_DIGITS
        }

    def unmark(self, members: Iterable[Member], tag: str) -> None:
        """Take the bookmarks and holds called `tag` (and longer) off. Raises `HostError`."""
        snapshots: list[str] = []
        for member in members:
            for mark in member.bookmarks:
                if mark.name.startswith(f"{tag}-"):
                    self.run(DestroyBookmark(dataset=member.name, bookmark=mark.name))
            snapshots += (f"{member.name}@{point.name}" for point in member.snapshots)
        self.release(self.held(snapshots, tag), tag)

    def held(self, snapshots: Iterable[str], tag: str) -> list[str]:
        """Such of these as have a hold called `tag`. Raises `HostError`."""
        return [
            name
            for some in batched(snapshots, MOST_AT_ONCE)
            for name, held, _ in rows(self.run(HoldsOf(snapshots=some)), 3)
            if held == tag and name in some
        ]

    def hold(self, snapshots: Iterable[str], tag: str) -> None:
        """With one command for many: on another machine each takes a while. Raises `HostError`."""
        for some in batched(snapshots, MOST_AT_ONCE):
            self.run(HoldPoints(snapshots=some, tag=tag))

    def release(self, snapshots: Iterable[str], tag: str) -> None:
        """The opposite; one that has no such hold is no error. Raises `HostError`."""
        for some in batched(snapshots, MOST_AT_ONCE):
            self.run(ReleasePoints(snapshots=some, tag=tag))

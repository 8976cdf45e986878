"""What a run asks of a simulated side: lists, holds and bookmarks."""

from __future__ import annotations

from collections.abc import Callable

from host.base import Result, check
from host.commands.base import Command
from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsHold, ZfsRelease, ZfsSnapshot
from host.commands.replication.over import Over
from host.commands.replication.points import (
    DestroyBookmark,
    HoldPoints,
    HoldsOf,
    ListDatasets,
    ListPoints,
    MakeBookmark,
    ReleasePoints,
    SnapshotTimes,
    TakePoint,
)
from host.commands.replication.streams import ForgetSnapshots, MakeContainer, SendStream
from host.commands.replication.task import Task
from host.programs.replicate.side import Side
from host.simulated.datasets import holds, snapshots
from host.simulated.datasets.lifecycle import find, parent_of
from host.simulated.datasets.locks import encryption, is_locked
from host.simulated.datasets.snapshot_output import snapshot
from host.simulated.datasets.snapshots import tree
from host.simulated.datasets.space import usages
from host.simulated.handlers import Handlers, on
from host.simulated.refusal import Refusal, done
from host.simulated.replication import hashes
from host.simulated.replication.elsewhere import carried_out
from host.simulated.replication.streams import size_of, written
from host.simulated.state import Bookmark, Dataset, Machine, Pool, Snapshot


def _datasets(machine: Machine, command: ListDatasets) -> str:
    pool, first = find(machine, command.name)
    found = usages(pool)
    return "".join(
        _row(pool, one, found[one.name].available) for one in tree(pool, first, recursive=command.recursive)
    )


def _row(pool: Pool, one: Dataset, available: int) -> str:
    cipher = encryption(one)
    key = "-" if cipher == "off" else "unavailable" if is_locked(pool, one) else "available"
    columns = (one.name, str(one.guid), one.kind, str(written(pool, one)), str(available), cipher, key, "-")
    return "\t".join(columns) + "\n"


def _points(machine: Machine, command: ListPoints) -> str:
    pool, first = find(machine, command.name)
    lines = []
    for one in tree(pool, first, recursive=command.recursive):
        lines += [f"{one.name}@{point.tag}\t{point.guid}\t{point.createtxg}\n" for point in one.snapshots]
        lines += [f"{one.name}#{mark.name}\t{mark.guid}\t{mark.createtxg}\n" for mark in one.bookmarks]
    return "".join(lines)


def _each(machine: Machine, names: tuple[str, ...], say: Callable[[str, Snapshot], str]) -> Result:
    found, lost = "", ""
    for name in names:
        try:
            found += say(name, snapshot(machine, name)[2])
        except Refusal as refusal:
            lost += refusal.result.stderr
    return Result(exit=1 if lost else 0, stdout=found, stderr=lost)


def _times(machine: Machine, command: SnapshotTimes) -> Result:
    return _each(machine, command.snapshots, lambda name, one: f"{name}\t{one.created}\n")


def _holds(machine: Machine, command: HoldsOf) -> Result:
    def rows(name: str, one: Snapshot) -> str:
        return "".join(f"{name}\t{tag}\t{since}\n" for tag, since in sorted(one.holds.items()))

    return _each(machine, command.snapshots, rows)


def _take(machine: Machine, command: TakePoint) -> Result:
    return snapshots.take(machine, ZfsSnapshot(names=(command.snapshot,), recursive=command.recursive))


def _forget(machine: Machine, command: ForgetSnapshots) -> Result:
    return snapshots.destroy(machine, ZfsDestroySnapshots(dataset=command.name, tags=command.tags))


def _bookmark(machine: Machine, command: MakeBookmark) -> Result:
    _, dataset, one = snapshot(machine, command.snapshot)
    if any(mark.name == command.bookmark for mark in dataset.bookmarks):
        raise Refusal(f"cannot create bookmark '{dataset.name}#{command.bookmark}': bookmark exists\n")
    dataset.bookmarks.append(Bookmark(name=command.bookmark, guid=one.guid, createtxg=one.createtxg))
    return done()


def _destroy_bookmark(machine: Machine, command: DestroyBookmark) -> Result:
    _, dataset = find(machine, command.dataset)
    left = [mark for mark in dataset.bookmarks if mark.name != command.bookmark]
    if len(left) == len(dataset.bookmarks):
        raise Refusal(f"bookmark '{command.dataset}#{command.bookmark}' does not exist.\n")
    dataset.bookmarks = left
    return done()


def _hold(machine: Machine, command: HoldPoints) -> Result:
    return holds.hold(machine, ZfsHold(names=command.snapshots, tag=command.tag))


def _release(machine: Machine, command: ReleasePoints) -> Result:
    return holds.release(machine, ZfsRelease(names=command.snapshots, tag=command.tag))


def _container(machine: Machine, command: MakeContainer) -> Result:
    pool = parent_of(machine, command.name, f"cannot create '{command.name}'")
    pool.txg += 1
    pool.datasets[command.name] = Dataset(
        name=command.name, kind="filesystem", guid=machine.number(), createtxg=pool.txg,
        objsetid=54 + 9 * len(pool.datasets), created=int(machine.now()),
        values={"canmount": "off", "readonly": "on"},
    )  # fmt: skip
    return done()


def _size(machine: Machine, command: SendStream) -> str:
    return f"size\t{size_of(machine, command)}\n"


_HANDLERS: Handlers = (
    on(ListDatasets, _datasets)
    | on(ListPoints, _points)
    | on(SnapshotTimes, _times)
    | on(TakePoint, _take)
    | on(ForgetSnapshots, _forget)
    | on(HoldsOf, _holds)
    | on(MakeBookmark, _bookmark)
    | on(DestroyBookmark, _destroy_bookmark)
    | on(HoldPoints, _hold)
    | on(ReleasePoints, _release)
    | on(MakeContainer, _container)
    | on(SendStream, _size)
    | hashes.HANDLERS
)


class Inside:
    """The host of a program that runs on the simulated machine."""

    kind = "simulated"

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def run(self, command: Command) -> Result:
        """As `SimulatedHost.run`, within a change of the machine."""
        if isinstance(command, Over):
            return check(command, carried_out(self._machine, command, self._run))
        return check(command, self._run(command))

    def _run(self, command: Command) -> Result:
        try:
            return _HANDLERS[type(command)](self._machine, command, b"")
        except Refusal as refusal:
            return refusal.result


def sides(machine: Machine, task: Task) -> tuple[Side, Side]:
    """The source's and the target's, as the real program has them."""
    host, connection = Inside(machine), task.connection
    if connection is None:
        here = Side(host)
        return here, here

    def over(command: Command) -> Command:
        return Over(connection=connection.id, kind=connection.kind, command=command)

    there = Side(host, over)
    return (there, Side(host)) if task.pull else (Side(host), there)

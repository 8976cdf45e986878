"""Which commands a paired machine may have carried out. Pure.

Three kinds of place: below its root, where its replicas lie; the root itself, which it may look at; and what
the owner shared with it, which it may read, and mark by holds and bookmarks of replication's own names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host.commands.base import Command
from host.commands.replication.hashes import HashFiles
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
from host.commands.replication.streams import (
    ForgetPartial,
    ForgetSnapshots,
    MakeContainer,
    ReceiveStream,
    SendRest,
    SendStream,
    ZfsVersion,
)
from host.programs.peer.rights import Rights
from host.replication.marks import PEERS
from host.system.own_datasets import is_ours


class Forbidden(Exception):
    """This machine may not do that; the text names nothing that the other side does not know."""


def below(name: str, root: str) -> bool:
    """Whether a dataset lies below another one, and is not that itself."""
    return name.startswith(f"{root}/")


def within(name: str, root: str) -> bool:
    """Whether it is that dataset or lies below it."""
    return name == root or below(name, root)


def dataset_of(snapshot: str) -> str:
    """`tank/a@b` → `tank/a`."""
    return snapshot.partition("@")[0]


def check(command: Command, rights: Rights) -> None:
    """Raises `Forbidden`. A command of which there is no rule here is none that may be run."""
    rule = _RULES.get(type(command))
    if rule is None:
        raise Forbidden(f"{type(command).__name__} is nothing that a paired machine may ask for.")
    rule(command, rights)


def check_snapshot(snapshot: str, rights: Rights) -> None:
    """What a stream may be made of, and whose files may be read. Raises `Forbidden`."""
    _readable(dataset_of(snapshot), rights)


def _not_ours(name: str) -> None:
    """Whatever was shared: no replication takes part in these, as `Task.wants` has it."""
    if is_ours(name):
        raise Forbidden(f"{name} is the console's own.")


def _readable(name: str, rights: Rights) -> None:
    _not_ours(name)
    if not any(within(name, one) for one in (rights.root, *rights.shared)):
        raise Forbidden(f"{name} is not shared with this machine.")


def _writable(name: str, rights: Rights) -> None:
    _not_ours(name)
    if not below(name, rights.root):
        raise Forbidden(f"{name} does not lie below {rights.root}, where this machine's replicas belong.")


def _own_name(name: str) -> None:
    if not name.startswith(PEERS):
        raise Forbidden(f"Holds and bookmarks of a paired machine begin with {PEERS}.")


def _marked(snapshot: str, name: str, rights: Rights) -> None:
    _readable(dataset_of(snapshot), rights)
    _own_name(name)


def _sent(command: SendStream, rights: Rights) -> None:
    check_snapshot(command.snapshot, rights)
    if command.base is not None:
        check_snapshot(command.base, rights)


def _unmarked(command: DestroyBookmark, rights: Rights) -> None:
    _readable(command.dataset, rights)
    _own_name(command.bookmark)


def _all_marked(command: HoldPoints | ReleasePoints, rights: Rights) -> None:
    for snapshot in command.snapshots:
        _marked(snapshot, command.tag, rights)


def _all_readable(command: HoldsOf | SnapshotTimes, rights: Rights) -> None:
    for snapshot in command.snapshots:
        _readable(dataset_of(snapshot), rights)


def _anything(_command: Command, _rights: Rights) -> None:
    """What names no dataset. A token does, but not here: see `token`."""


_RULES: dict[type[Command], Callable[[Any, Rights], None]] = {
    ListDatasets: lambda command, rights: _readable(command.name, rights),
    ListPoints: lambda command, rights: _readable(command.name, rights),
    SnapshotTimes: _all_readable,
    # Below its own root alone: nobody else's datasets get snapshots because somebody reads them.
    TakePoint: lambda command, rights: _writable(dataset_of(command.snapshot), rights),
    MakeBookmark: lambda command, rights: _marked(command.snapshot, command.bookmark, rights),
    DestroyBookmark: _unmarked,
    HoldPoints: _all_marked,
    ReleasePoints: _all_marked,
    HoldsOf: _all_readable,
    SendStream: _sent,
    SendRest: _anything,
    ReceiveStream: lambda command, rights: _writable(command.name, rights),
    ForgetPartial: lambda command, rights: _writable(command.name, rights),
    MakeContainer: lambda command, rights: _writable(command.name, rights),
    ForgetSnapshots: lambda command, rights: _writable(command.name, rights),
    ZfsVersion: _anything,
    HashFiles: lambda command, rights: check_snapshot(command.snapshot, rights),
}

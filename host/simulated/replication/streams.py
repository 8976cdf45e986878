"""A stream between two simulated datasets: how large it is, and what the receiving one has then."""

from __future__ import annotations

from bisect import bisect_left

import msgspec

from host.commands.replication.streams import ReceiveStream, SendStream
from host.pipeline import Carried
from host.simulated.datasets.lifecycle import find, parent_of
from host.simulated.datasets.snapshot_output import snapshot
from host.simulated.datasets.space import referenced
from host.simulated.refusal import Refusal
from host.simulated.state import Dataset, FileState, Key, Machine, Pool, Snapshot

_HEAD_BYTES = 43_608  # of the stream of an empty file system
_CHANGE_BYTES = 624


def written(pool: Pool, dataset: Dataset) -> int:
    """Bytes since the newest snapshot; all of them without one."""
    if not dataset.snapshots:
        return referenced(pool, dataset)
    newest = dataset.snapshots[-1]
    fresh = sum(file.size for file in dataset.files if file.born > newest.createtxg and file.died is None)
    return fresh + max(0, dataset.data - newest.data)


def size_of(machine: Machine, command: SendStream) -> int:
    """The bytes of the stream; refuses in zfs' words where a snapshot is not there."""
    _, dataset, newest = snapshot(machine, command.snapshot)
    sent = _sent(machine, command, dataset, newest)
    if command.base is None and command.since is None:
        return _HEAD_BYTES + newest.data
    base = _base(machine, command, dataset)
    changed = sum(file.size for file in dataset.files if base < file.born <= newest.createtxg)
    return _CHANGE_BYTES * len(sent) + changed


def transfer(machine: Machine, stream: SendStream, receive: ReceiveStream) -> Carried:
    """Send and receive at once, without a roll-back."""
    size = 0
    try:
        _, source, newest = snapshot(machine, stream.snapshot)
        size = size_of(machine, stream)
        _receive(machine, stream, receive, source, _sent(machine, stream, source, newest))
    except Refusal as refusal:
        return _carried(size, refusal.result.stderr)
    return _carried(size, "")


def _carried(size: int, said: str) -> Carried:
    return Carried(
        size_bytes=size, stopped=False, sender_exit=0, sender_said="", receiver_exit=int(bool(said)),
        receiver_said=said,
    )  # fmt: skip


def _base(machine: Machine, command: SendStream, dataset: Dataset) -> int:
    """The transaction from which the stream leads on."""
    if command.base is not None:
        return snapshot(machine, command.base)[2].createtxg
    for mark in dataset.bookmarks:
        if mark.name == command.since:
            return mark.createtxg
    return 0


def _sent(machine: Machine, command: SendStream, dataset: Dataset, newest: Snapshot) -> list[Snapshot]:
    base = _base(machine, command, dataset)
    if not command.between:
        return [newest]
    return [one for one in dataset.snapshots if base < one.createtxg <= newest.createtxg]


def _receive(
    machine: Machine, stream: SendStream, receive: ReceiveStream, source: Dataset, sent: list[Snapshot]
) -> None:
    say = f"cannot receive new filesystem stream into '{receive.name}'"
    fresh = stream.base is None and stream.since is None
    if fresh:
        pool = parent_of(machine, receive.name, say)
        if receive.name in pool.datasets:
            raise Refusal(f"cannot receive new filesystem stream: destination '{receive.name}' exists\n")
        own = {"readonly": "on"} if receive.volume else {"readonly": "on", "canmount": "noauto"}
        if receive.beside:
            own["nasweb:policy"] = "off"
        if stream.raw and source.key is not None:
            own["keylocation"] = "prompt"
        kept = {
            k: v for k, v in source.values.items() if k == "volsize" or (stream.properties and k in _KEPT)
        }
        pool.datasets[receive.name] = Dataset(
            name=receive.name, kind=source.kind, guid=machine.number(), createtxg=pool.txg + 1,
            objsetid=54 + 9 * len(pool.datasets), created=int(machine.now()), values=own,
            received={k: v for k, v in kept.items() if k not in own}, fixed=_fixed(source, raw=stream.raw),
            key=_locked(source) if stream.raw else None,
        )  # fmt: skip
        if "volsize" in kept:
            pool.datasets[receive.name].values["volsize"] = kept["volsize"]
    pool, target = find(machine, receive.name)
    if not fresh and written(pool, target):
        changed = f"destination {receive.name} has been modified\nsince most recent snapshot"
        raise Refusal(f"cannot receive incremental stream: {changed}\n")
    for one in sent:
        pool.txg += 1
        target.snapshots.append(
            Snapshot(tag=one.tag, guid=one.guid, createtxg=pool.txg, created=one.created, data=one.data,
                     values=dict(one.values))
        )  # fmt: skip
    target.snapshots_changed = int(machine.now())
    target.data = sent[-1].data
    target.files = _files(source, target)


# Of what a stream brings with it: the rest of the console's properties has no meaning for a replica here.
_KEPT = frozenset(
    {
        "atime",
        "compression",
        "checksum",
        "dedup",
        "recordsize",
        "quota",
        "refquota",
        "xattr",
        "acltype",
        "copies",
    }
)


def _fixed(source: Dataset, *, raw: bool) -> dict[str, str]:
    return {k: v for k, v in source.fixed.items() if k != "encryption" or raw}


def _locked(source: Dataset) -> Key | None:
    return None if source.key is None else msgspec.structs.replace(source.key, loaded=False)


def _files(source: Dataset, target: Dataset) -> list[FileState]:
    """What the snapshots that both have show, by the transactions of the target's pool."""
    here = {one.guid: one.createtxg for one in source.snapshots}
    pairs = sorted((here[one.guid], one.createtxg) for one in target.snapshots if one.guid in here)
    times = [before for before, _ in pairs]

    def moved(txg: int) -> int | None:
        """The first snapshot of the target that knows what happened at that transaction of the source."""
        index = bisect_left(times, txg)
        return pairs[index][1] if index < len(pairs) else None

    found = []
    for file in source.files:
        born, died = moved(file.born), None if file.died is None else moved(file.died)
        if born is not None and born != died:
            found.append(msgspec.structs.replace(file, born=born, died=died))
    return found

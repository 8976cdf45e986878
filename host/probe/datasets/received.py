"""What came with copies (`zfs receive`) and lies hidden beneath other values."""

from __future__ import annotations

from functools import partial
from operator import itemgetter

import msgspec

from host.base import Host
from host.commands.datasets.zfs import ZfsGetReceived
from host.inventory import Dataset, Property
from host.lines import Ask, Parsed, about, blocks, nothing, rows, sound

_AT_ONCE = 200  # names in one command
Values = dict[str, str]  # by property
# ZFS keeps the one from a dataset's first snapshot on, and has the other of a copy that is not complete.
_OF_COPIES = frozenset({"snapshots_changed", "receive_resume_token"})
_Mark = tuple[str, frozenset[tuple[str, str]], str]


class Received:
    """Remembers the received values of each dataset, because zfs is slow to read them.

    libzfs asks the kernel anew for each property of a dataset that received none (zfs_prop_get_recvd() in
    libzfs_dataset.c): on 200 datasets that is 27 000 calls, and thirteen times the time of all the rest. So a
    dataset is asked when it is new or has a new name (whoever had its name before may have answered for it),
    when a value of its own has changed and, where something was received before, when its snapshots have.
    One that came since the last probe without a copy received nothing: it is asked with its first snapshot.
    What would go unnoticed: a copy into a dataset that never received anything, all of whose values are
    overridden there already.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Mark, Values]] = {}

    def settle(self, host: Host, datasets: tuple[Dataset, ...]) -> tuple[Dataset, ...]:
        """`datasets` with the values they received. Raises `HostError`."""
        guids = {one.name: one.guid for one in datasets}
        for one in datasets:
            if self._was_made(one, guids):
                self._known[one.guid] = (_mark(one, {}), {})
        stale = [one for one in datasets if self._mark(one) != self._known.get(one.guid, (None, {}))[0]]
        report: dict[str, Values] = {}
        for start in range(0, len(stale), _AT_ONCE):
            names = tuple(one.name for one in stale[start : start + _AT_ONCE])
            report |= parse_zfs_get_received(_read(host, names), about(names, partial(_read, host)))
        known = {one.guid: self._known[one.guid] for one in datasets if one.guid in self._known}
        for one in stale:
            values = report.get(one.name, {})
            known[one.guid] = (_mark(one, values), values)
        self._known = known
        return tuple(_with(one, self._known[one.guid][1]) for one in datasets)

    def _was_made(self, dataset: Dataset, guids: dict[str, str]) -> bool:
        """Whether it is new below one that is known, and holds no copy: that would have come with a snapshot.

        In a pool that was imported since the one above it is as new.
        """
        if dataset.guid in self._known or guids.get(dataset.parent or "") not in self._known:
            return False
        copied = any(found.source == "received" for found in dataset.properties.values())
        return not copied and not dataset.properties.keys() & _OF_COPIES

    def _mark(self, dataset: Dataset) -> _Mark:
        return _mark(dataset, self._known.get(dataset.guid, (None, {}))[1])


def _read(host: Host, names: tuple[str, ...]) -> str:
    return host.run(ZfsGetReceived(names=names)).stdout


def parse_zfs_get_received(text: str, ask: Ask = nothing) -> dict[str, Values]:
    """The received values of each dataset that has any."""
    report = sound(_blocks, text, ask)
    found = {name: {p: value for p, value in own.items() if value != "-"} for name, own in report.items()}
    return {name: values for name, values in found.items() if values}


def _blocks(text: str) -> Parsed[str]:
    return blocks(rows(text, 3), itemgetter(2), first="type")


def _mark(dataset: Dataset, received: Values) -> _Mark:
    own = frozenset(
        (name, found.value)
        for name, found in dataset.properties.items()
        if found.source in {"local", "received"}
    )
    changed = dataset.value("snapshots_changed") or ""
    return dataset.name, own, changed if received else str(bool(changed))


def _with(dataset: Dataset, received: Values) -> Dataset:
    if not received:
        return dataset
    properties: dict[str, Property] = {
        name: msgspec.structs.replace(found, received=received.get(name))
        for name, found in dataset.properties.items()
    }
    return msgspec.structs.replace(dataset, properties=properties)

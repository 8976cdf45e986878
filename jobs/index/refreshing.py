"""Brings the index up to date: two zfs calls, however many datasets changed.

Which datasets changed is known from the inventory (`snapshots_changed`, which ZFS keeps for each). Of those
the names, guids and transaction groups are listed, for which ZFS opens no snapshot; only of guids that were
not known the rest is asked. Where those bear a mark, a third call says whether it is their own. Holds move
without `snapshots_changed`: plans and pages that speak of them ask.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from threading import Lock
from typing import NamedTuple

import msgspec
import structlog
from django.db import transaction
from django.db.models import Count, Max

from host.base import Host, HostError
from host.inventory import Dataset, Inventory, Snapshot
from host.probe.datasets.marks import read_marks
from host.probe.datasets.snapshots import Listed, list_names, read_details
from jobs.models import IndexedDataset, IndexedSnapshot

_log = structlog.get_logger("index")
_BUDGET_S = 20.0  # of one refresh for details: what is left is read after the next probe
_BATCH = 500
_one_at_a_time = Lock()


class _Known(NamedTuple):
    """What a dataset's row says of the last listing."""

    guid: str
    name: str
    changed: str
    origin: str
    settled: bool


class _Change(NamedTuple):
    """What a listing says of one dataset: snapshots that the index lacks, and those that it must change."""

    lacking: list[Listed]
    renamed: dict[str, str]  # tags by guid
    gone: list[str]  # guids


def refresh(inventory: Inventory, host: Host) -> None:
    """List what changed since the last time. What cannot be listed stays as it was, and is tried again."""
    with _one_at_a_time:
        # As plain values: of a thousand datasets one has changed.
        rows = IndexedDataset.objects.values_list("guid", "name", "changed", "origin", "settled")
        known = {row[0]: _Known(*row) for row in rows}
        _forget(known.keys() - {dataset.guid for dataset in inventory.datasets})
        _rename(inventory, known)
        stale = _stale(inventory, known)
        if not stale:
            return
        try:
            _list(stale, host, int(datetime.fromisoformat(inventory.as_of).timestamp()))
        except HostError as error:
            _log.warning("snapshots not listed", datasets=len(stale), error=str(error))


def _forget(guids: Iterable[str]) -> None:
    for some in _parts(guids):
        IndexedDataset.objects.filter(guid__in=some).delete()


def _rename(inventory: Inventory, known: dict[str, _Known]) -> None:
    """Follow new names. What was listed last by the old one may be of another dataset, which had taken it."""
    for dataset in inventory.datasets:
        row = known.get(dataset.guid)
        if row is not None and row.name != dataset.name:
            IndexedDataset.objects.filter(guid=dataset.guid).update(name=dataset.name, settled=False)


def _stale(inventory: Inventory, known: dict[str, _Known]) -> dict[str, Dataset]:
    suspended = {pool.name for pool in inventory.pools if pool.suspended}
    stale: dict[str, Dataset] = {}
    for dataset in inventory.datasets:
        row = known.get(dataset.guid)
        now = (dataset.name, *_marks(dataset))
        same = row is not None and row.settled and (row.name, row.changed, row.origin) == now
        if not same and dataset.pool not in suspended:
            stale[dataset.name] = dataset
    return stale


def _marks(dataset: Dataset) -> tuple[str, str]:
    return dataset.value("snapshots_changed") or "", dataset.value("origin") or ""


def _list(stale: dict[str, Dataset], host: Host, probed_at: int) -> None:
    deadline = time.monotonic() + _BUDGET_S
    for listing in list_names(host, tuple(stale)):
        rows = _rows([stale[name] for name in listing.datasets])
        listed: dict[str, dict[str, Listed]] = {name: {} for name in rows}
        for one in listing.snapshots:
            if one.dataset in listed:
                listed[one.dataset][one.guid] = one
        changes = {name: _compare(rows[name], found) for name, found in listed.items()}
        complete = _add(changes.values(), rows, host, deadline)
        with transaction.atomic():
            if listing.whole:
                # Otherwise a dataset may be missing just because it could not be opened.
                for name, change in changes.items():
                    _follow(rows[name], change)
            _settle(rows, stale, probed_at, whole=listing.whole and complete)


def _rows(datasets: list[Dataset]) -> dict[str, IndexedDataset]:
    """By name, made where they are missing."""
    known = {row.guid: row for row in IndexedDataset.objects.filter(guid__in=[d.guid for d in datasets])}
    new = [
        IndexedDataset(guid=dataset.guid, name=dataset.name, changed="", settled=False)
        for dataset in datasets
        if dataset.guid not in known
    ]
    known |= {row.guid: row for row in IndexedDataset.objects.bulk_create(new)}
    return {dataset.name: known[dataset.guid] for dataset in datasets}


def _compare(row: IndexedDataset, listed: dict[str, Listed]) -> _Change:
    known = dict(IndexedSnapshot.objects.filter(dataset=row).values_list("guid", "tag"))
    return _Change(
        lacking=[one for guid, one in listed.items() if guid not in known],
        renamed={g: listed[g].tag for g, tag in known.items() if g in listed and listed[g].tag != tag},
        gone=[guid for guid in known if guid not in listed],
    )


def _follow(row: IndexedDataset, change: _Change) -> None:
    for guid, tag in change.renamed.items():
        IndexedSnapshot.objects.filter(dataset=row, guid=guid).update(tag=tag)
    for some in _parts(change.gone):
        IndexedSnapshot.objects.filter(dataset=row, guid__in=some).delete()


def _add(changes: Iterable[_Change], rows: dict[str, IndexedDataset], host: Host, deadline: float) -> bool:
    """True once all that the index lacked is in it, the youngest first."""
    lacking = sorted(
        (one for change in changes for one in change.lacking), key=lambda one: one.createtxg, reverse=True
    )
    for some in _parts(lacking):
        if time.monotonic() > deadline:
            return False
        found = _with_own_marks(read_details(host, (f"{one.dataset}@{one.tag}" for one in some)), host)
        made = [_snapshot(rows[snapshot.dataset], snapshot) for snapshot in found]
        IndexedSnapshot.objects.bulk_create(made, ignore_conflicts=True)
        if len(made) < len(some):
            return False  # some went between the two calls: the next probe knows
    return True


def _with_own_marks(found: Iterable[Snapshot], host: Host) -> list[Snapshot]:
    """What is listed as a mark may be inherited, or came with a copy: only one that was set here stays."""
    snapshots = list(found)
    marked = tuple(snapshot.name for snapshot in snapshots if snapshot.mark)
    own = read_marks(host, marked, even_bound=True) if marked else {}
    return [msgspec.structs.replace(one, mark=own.get(one.name, "")) for one in snapshots]


def _snapshot(row: IndexedDataset, snapshot: Snapshot) -> IndexedSnapshot:
    return IndexedSnapshot(
        dataset=row,
        guid=snapshot.guid,
        tag=snapshot.tag,
        createtxg=snapshot.createtxg,
        created=snapshot.created,
        referenced_bytes=snapshot.referenced_bytes,
        holds=snapshot.holds,
        leaving=snapshot.leaving,
        mark=snapshot.mark,
    )


def _settle(
    rows: dict[str, IndexedDataset], stale: dict[str, Dataset], probed_at: int, *, whole: bool
) -> None:
    tallies = {
        tally["dataset"]: tally
        for some in _parts(row.pk for row in rows.values())
        for tally in IndexedSnapshot.objects.filter(dataset__in=some)
        .values("dataset")
        .annotate(count=Count("pk"), newest=Max("created"))
    }
    for name, row in rows.items():
        row.changed, row.origin = _marks(stale[name])
        # What changed in the second of the probe may change again within it, unnoticed by its whole seconds.
        at = int(row.changed) if row.changed.isdecimal() else 0
        row.settled = whole and not probed_at <= at <= _now_s() + 1
        tally = tallies.get(row.pk)
        row.count, row.newest = (int(tally["count"]), tally["newest"]) if tally else (0, None)
    # Not bulk_update(): that builds a CASE of each field and row, which takes thirty times as long.
    IndexedDataset.objects.bulk_create(
        rows.values(), batch_size=100, update_conflicts=True, unique_fields=("id",),
        update_fields=("changed", "origin", "settled", "count", "newest"),
    )  # fmt: skip


def _now_s() -> int:
    return int(datetime.now(UTC).timestamp())


def _parts[T](values: Iterable[T]) -> Iterator[list[T]]:
    """`values`, some hundred at a time: SQLite takes so many in one question."""
    rest = iter(values)
    while some := list(islice(rest, _BATCH)):
        yield some

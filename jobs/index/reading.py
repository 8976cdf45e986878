"""Reads the index: a page at a time for people, what a plan must know for plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal

import msgspec
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest

from host.base import Host
from host.inventory import Inventory, Snapshot
from host.probe.datasets.snapshots import read_details
from jobs.index.refreshing import refresh
from jobs.models import IndexedDataset, IndexedSnapshot
from jobs.needs import SnapshotNeeds

Kind = Literal["policy", "manual"]
Order = Literal["createtxg", "tag", "referenced_bytes"]
_MOST_ASKED = 5000  # snapshots whose holds a plan asks for; of more, ZFS itself refuses those that are held
_BATCH = 500


class SnapshotFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which snapshots of a dataset a page shows; times in seconds since 1970."""

    text: str = ""  # part of the name
    kind: Kind | None = None  # taken by a policy, or not
    since: int | None = None
    until: int | None = None
    held: bool = False


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How many snapshots a dataset has, and when the youngest was taken."""

    count: int
    newest: int | None


def tallies(guids: Iterable[str] | None = None) -> dict[str, Tally]:
    """Of all datasets that were listed, or of those of `guids`, by guid."""
    chosen = IndexedDataset.objects.all()
    if guids is not None:
        chosen = chosen.filter(guid__in=list(guids))
    rows = chosen.values_list("guid", "count", "newest")
    return {guid: Tally(count=count, newest=newest) for guid, count, newest in rows}


def page(
    inventory: Inventory,
    dataset: str,
    *,
    after: int | None = None,
    limit: int = 100,
    newest_first: bool = True,
    order: Order = "createtxg",
    chosen: SnapshotFilter | None = None,
) -> tuple[list[Snapshot], int | None]:
    """Up to `limit` snapshots of `dataset`, and the `after` of the next page (None at the end).

    `after` is the transaction group of the last one seen: pages stay in step while snapshots come and go.
    With another `order`, `newest_first` says that the largest come first.
    """
    rows = _chosen(IndexedSnapshot.objects.filter(dataset__name=dataset), chosen or SnapshotFilter())
    if after is not None:
        rows = rows.filter(_behind(dataset, after, order, down=newest_first))
    sign = "-" if newest_first else ""
    found = list(rows.order_by(f"{sign}{order}", f"{sign}createtxg")[: limit + 1])
    origins = _origins(inventory)
    shown = [_snapshot(row, dataset, origins) for row in found[:limit]]
    return shown, shown[-1].createtxg if len(found) > limit else None


def _behind(dataset: str, after: int, order: Order, *, down: bool) -> Q:
    """Whatever comes behind the snapshot of the transaction group `after`."""
    compared = "lt" if down else "gt"
    younger = Q(**{f"createtxg__{compared}": after})
    if order == "createtxg":
        return younger
    last = IndexedSnapshot.objects.filter(dataset__name=dataset, createtxg=after)
    if (value := last.values_list(order, flat=True).first()) is None:  # destroyed meanwhile
        return Q()
    return Q(**{f"{order}__{compared}": value}) | (Q(**{order: value}) & younger)


def find(inventory: Inventory, name: str) -> Snapshot | None:
    """The snapshot called `dataset@tag`; None where the index has none."""
    dataset, _, tag = name.partition("@")
    row = IndexedSnapshot.objects.filter(dataset__name=dataset, tag=tag).first()
    return None if row is None else _snapshot(row, dataset, _origins(inventory))


def with_known(inventory: Inventory, wanted: SnapshotNeeds) -> Inventory:
    """`inventory` with the snapshots that a plan must know, as the index has them, oldest first."""
    origins = _origins(inventory)
    found: dict[str, tuple[Snapshot, ...]] = dict.fromkeys(_names(inventory, wanted), ())
    for some in _parts(found):
        rows = IndexedSnapshot.objects.filter(dataset__name__in=some)
        if wanted.tags is not None:
            rows = rows.filter(tag__in=wanted.tags)
        collected: dict[str, list[Snapshot]] = {}
        for row in rows.select_related("dataset").order_by("createtxg"):
            name = row.dataset.name
            collected.setdefault(name, []).append(_snapshot(row, name, origins))
        found |= {name: tuple(snapshots) for name, snapshots in collected.items()}
    return msgspec.structs.replace(inventory, snapshots=found)


def with_fresh(inventory: Inventory, wanted: SnapshotNeeds, host: Host) -> Inventory:
    """As `with_known`, for a fresh `inventory`: lists what changed and asks for holds. Raises `HostError`."""
    names = _names(inventory, wanted)
    if not names:
        return msgspec.structs.replace(inventory, snapshots={})
    refresh(inventory, host)
    known = with_known(inventory, wanted)
    asked = [one.name for snapshots in known.snapshots.values() for one in snapshots][:_MOST_ASKED]
    fresh = {snapshot.name: snapshot for snapshot in read_details(host, asked)}
    remember(fresh.values())
    gone = set(asked) - fresh.keys()
    _list_again({name.partition("@")[0] for name in gone})
    return msgspec.structs.replace(
        known,
        snapshots={
            name: tuple(_now(one, fresh.get(one.name, one)) for one in snapshots if one.name not in gone)
            for name, snapshots in known.snapshots.items()
        },
    )


def _list_again(datasets: Iterable[str]) -> None:
    """Have the next probe list these: the index has snapshots there that the machine has not."""
    for some in _parts(datasets):
        IndexedDataset.objects.filter(name__in=some).update(settled=False)


def _now(known: Snapshot, fresh: Snapshot) -> Snapshot:
    """As it was just seen; a mark counts only if it was the snapshot's own when it was indexed."""
    return msgspec.structs.replace(fresh, mark=known.mark if fresh.mark == known.mark else "")


def remember(seen: Iterable[Snapshot]) -> None:
    """Store the holds of snapshots that were just asked for, where they differ from the index."""
    for some in _parts(seen):
        by_guid = {snapshot.guid: snapshot for snapshot in some}
        for row in IndexedSnapshot.objects.filter(guid__in=by_guid).select_related("dataset"):
            now = by_guid[row.guid]
            same = (row.holds, row.leaving) == (now.holds, now.leaving)
            # A guid is one snapshot's, but a replica elsewhere has it too.
            if not same and row.dataset.name == now.dataset:
                IndexedSnapshot.objects.filter(pk=row.pk).update(holds=now.holds, leaving=now.leaving)


def count_holds(snapshots: Iterable[Snapshot], *, by: int) -> None:
    """Store that each of these has so many more holds: ZFS counts them without marking the dataset."""
    for snapshot in snapshots:
        rows = IndexedSnapshot.objects.filter(dataset__name=snapshot.dataset, guid=snapshot.guid)
        rows.update(holds=Greatest(F("holds") + by, 0))


def _names(inventory: Inventory, wanted: SnapshotNeeds) -> list[str]:
    if not wanted.datasets:  # most plans, which may not even know the datasets
        return []
    if wanted.everywhere_below:
        tops = tuple(f"{name}/" for name in wanted.datasets)
        return [d.name for d in inventory.datasets if d.name in wanted.datasets or d.name.startswith(tops)]
    return [dataset.name for dataset in inventory.datasets if dataset.name in wanted.datasets]


def _chosen(rows: QuerySet[IndexedSnapshot], chosen: SnapshotFilter) -> QuerySet[IndexedSnapshot]:
    if chosen.text:
        rows = rows.filter(tag__icontains=chosen.text)
    if chosen.kind is not None:
        rows = rows.filter(mark="") if chosen.kind == "manual" else rows.exclude(mark="")
    if chosen.since is not None:
        rows = rows.filter(created__gte=chosen.since)
    if chosen.until is not None:
        rows = rows.filter(created__lt=chosen.until)
    return rows.filter(holds__gt=0) if chosen.held else rows


def _origins(inventory: Inventory) -> dict[str, tuple[str, ...]]:
    """By snapshot, what was cloned from it: each dataset's origin says where it came from."""
    found: dict[str, tuple[str, ...]] = {}
    for dataset in inventory.datasets:
        if origin := dataset.value("origin"):
            found[origin] = (*found.get(origin, ()), dataset.name)
    return found


def _snapshot(row: IndexedSnapshot, dataset: str, origins: dict[str, tuple[str, ...]]) -> Snapshot:
    name = f"{dataset}@{row.tag}"
    return Snapshot(
        name=name,
        guid=row.guid,
        createtxg=row.createtxg,
        created=row.created,
        referenced_bytes=row.referenced_bytes,
        holds=row.holds,
        leaving=row.leaving,
        clones=origins.get(name, ()),
        mark=row.mark,
    )


def _parts[T](values: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(values)
    while some := list(islice(rest, _BATCH)):
        yield some

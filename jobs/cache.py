"""The cached inventory: what reads and previews answer from. Only the worker replaces it."""

from __future__ import annotations

from datetime import datetime
from threading import Lock

import msgspec
from django.db import transaction
from django.db.models import F

from host.base import Host, UnknownFormat
from host.inventory import Dataset, Inventory, Snapshot
from host.probe import list_snapshots
from jobs.models import CachedInventory, CachedSnapshot

_decoder = msgspec.json.Decoder(Inventory)
_newest: tuple[tuple[str, int, str], Inventory] | None = None  # decoded once per process and generation
_lock = Lock()


def current() -> Inventory | None:
    """The newest inventory, without snapshots; None before the first probe."""
    global _newest
    key = CachedInventory.objects.filter(pk=1).values_list("generation", "as_of").first()
    if key is None:
        return None
    known = (str(CachedInventory.objects.db), key[0], str(key[1]))
    with _lock:
        if _newest is not None and _newest[0] == known:
            return _newest[1]
    row = CachedInventory.objects.get(pk=1)
    inventory = _decoder.decode(bytes(row.data))
    with _lock:
        _newest = ((known[0], row.generation, str(row.as_of)), inventory)
    return inventory


def with_snapshots(inventory: Inventory, datasets: tuple[str, ...]) -> Inventory:
    """`inventory` with the indexed snapshots of `datasets` and of all below them."""
    found: dict[str, tuple[Snapshot, ...]] = {}
    for top in datasets:
        names = [top, *(dataset.name for dataset in inventory.below(top))]
        for name in names:
            found[name] = tuple(_snapshot(row) for row in CachedSnapshot.objects.filter(dataset=name))
    return msgspec.structs.replace(inventory, snapshots=found)


def with_fresh_snapshots(inventory: Inventory, datasets: tuple[str, ...], host: Host) -> Inventory:
    """Like `with_snapshots`, but asks the machine."""
    found: dict[str, tuple[Snapshot, ...]] = {}
    for top in datasets:
        if inventory.dataset(top) is None:
            continue
        listed = list_snapshots(host, top, recursive=True)
        for name in (top, *(dataset.name for dataset in inventory.below(top))):
            found[name] = tuple(snapshot for snapshot in listed if snapshot.dataset == name)
    return msgspec.structs.replace(inventory, snapshots=found)


def store(inventory: Inventory, host: Host) -> None:
    """Replace the cache by `inventory`, and re-list the snapshots of datasets where they changed.

    An inventory older than the cached one is dropped: two refreshes may overtake each other.
    Raises `UnknownFormat` for one that nobody could read again.
    """
    before = current()
    changed = _changed(before, inventory)
    listed = {name: list_snapshots(host, name) for name in changed}
    as_of = datetime.fromisoformat(inventory.as_of)
    data = msgspec.json.encode(inventory)
    try:
        _decoder.decode(data)
    except msgspec.ValidationError as error:
        # Whoever reads the cache could not: the older inventory is the better one.
        raise UnknownFormat(f"What the machine told does not fit: {error}") from None
    with transaction.atomic():
        newer = CachedInventory.objects.filter(pk=1, as_of__lte=as_of)
        if not newer.update(as_of=as_of, data=data, generation=F("generation") + 1):
            if CachedInventory.objects.filter(pk=1).exists():
                return
            CachedInventory.objects.create(pk=1, as_of=as_of, data=data)
        _index(inventory, before, listed)


def _changed(before: Inventory | None, now: Inventory) -> list[str]:
    known = {} if before is None else {d.name: _mark(d) for d in before.datasets}
    # snapshots_changed counts whole seconds: what moved in the second of the last look may have moved again.
    since = 0 if before is None else int(datetime.fromisoformat(before.as_of).timestamp())
    return [
        dataset.name
        for dataset in now.datasets
        if known.get(dataset.name) != _mark(dataset) or dataset.number("snapshots_changed") >= since
    ]


def _mark(dataset: Dataset) -> tuple[str, str | None, str | None]:
    return dataset.guid, dataset.value("snapshots_changed"), dataset.value("usedbysnapshots")


def _index(now: Inventory, before: Inventory | None, listed: dict[str, list[Snapshot]]) -> None:
    gone = {d.name for d in before.datasets} - {d.name for d in now.datasets} if before else set()
    CachedSnapshot.objects.filter(dataset__in=[*gone, *listed]).delete()
    if before is None:
        CachedSnapshot.objects.all().delete()
    CachedSnapshot.objects.bulk_create(
        (_row(snapshot) for snapshots in listed.values() for snapshot in snapshots), batch_size=500
    )


def _row(snapshot: Snapshot) -> CachedSnapshot:
    return CachedSnapshot(
        dataset=snapshot.dataset,
        tag=snapshot.tag,
        guid=snapshot.guid,
        created=snapshot.created,
        used_bytes=snapshot.used_bytes,
        referenced_bytes=snapshot.referenced_bytes,
        holds=snapshot.holds,
        clones=list(snapshot.clones),
    )


def _snapshot(row: CachedSnapshot) -> Snapshot:
    return Snapshot(
        name=f"{row.dataset}@{row.tag}",
        guid=row.guid,
        created=row.created,
        used_bytes=row.used_bytes,
        referenced_bytes=row.referenced_bytes,
        holds=row.holds,
        clones=tuple(row.clones),
    )


def snapshots(dataset: str, *, after: int = 0, limit: int = 100) -> list[tuple[int, Snapshot]]:
    """Up to `limit` indexed snapshots of one dataset, oldest first, each with its place for `after`."""
    rows = CachedSnapshot.objects.filter(dataset=dataset, pk__gt=after)[:limit]
    return [(row.pk, _snapshot(row)) for row in rows]

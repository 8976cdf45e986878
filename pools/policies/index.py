"""What the index of snapshots knows of those that policies took."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec
from django.db.models import F, Max, Value
from django.db.models.functions import StrIndex, Substr

from host.inventory import Inventory, Snapshot
from jobs.index import reading
from jobs.models import IndexedSnapshot
from jobs.needs import SnapshotNeeds
from pools.policies.rules.names import PREFIX, read_tag
from pools.policies.rules.policy import Tier


def newest(inventory: Inventory, dataset: str | None = None) -> dict[str, dict[Tier, datetime]]:
    """By dataset (or of one) and tier: the moment of the newest one that bears the mark of its pool.

    The moment is written alike in all names, so the last name of a tier is its newest.
    """
    guids = {pool.name: pool.guid for pool in inventory.pools}
    ours = IndexedSnapshot.objects.filter(tag__startswith=PREFIX, mark__in=guids.values())
    if dataset is not None:
        ours = ours.filter(dataset__name=dataset)
    rows = (
        ours.annotate(kind=Substr("tag", 1, StrIndex(F("tag"), Value("_"))))
        .order_by()
        .values_list("dataset__name", "mark", "kind")
        .annotate(last=Max("tag"))
    )
    found: dict[str, dict[Tier, datetime]] = {}
    for name, mark, _, last in rows:
        read = read_tag(last)
        if read is not None and mark == guids.get(name.partition("/")[0]):
            found.setdefault(name, {})[read[0]] = read[1]
    return found


def of(datasets: Iterable[str], inventory: Inventory) -> dict[str, tuple[Snapshot, ...]]:
    """All indexed snapshots of these datasets, without those below them."""
    wanted = SnapshotNeeds(datasets=tuple(datasets), everywhere_below=False)
    return reading.with_known(inventory, wanted).snapshots


def known(dataset: str, inventory: Inventory) -> Inventory:
    """`inventory` with the indexed snapshots of `dataset`."""
    return msgspec.structs.replace(inventory, snapshots=of((dataset,), inventory))

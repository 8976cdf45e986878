"""What the index of snapshots knows of those that policies took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

import msgspec
from django.db.models import F, Max, Q, Value
from django.db.models.functions import StrIndex, Substr

from host.inventory import Inventory, Snapshot
from jobs.index import reading
from jobs.models import IndexedSnapshot
from jobs.needs import SnapshotNeeds
from pools.policies.rules.due import latest_possible
from pools.policies.rules.names import PREFIX, read_tag, written
from pools.policies.rules.policy import Tier

_BEHIND = StrIndex(F("tag"), Value("_"))  # where the moment begins in a name, less one


@dataclass
class Taken:
    """Of one dataset: the moments of the newest one of each tier, and of one that is dated in the future."""

    newest: dict[Tier, datetime] = field(default_factory=dict)
    ahead: datetime | None = None


def taken(inventory: Inventory, now: datetime, dataset: str | None = None) -> dict[str, Taken]:
    """By dataset, or of one: those that bear the mark of its pool. The last name of a tier is its newest."""
    possible = Q(moment__lte=written(latest_possible(now)))
    guids = {pool.name: pool.guid for pool in inventory.pools}
    ours = IndexedSnapshot.objects.filter(tag__startswith=PREFIX, mark__in=guids.values())
    if dataset is not None:
        ours = ours.filter(dataset__name=dataset)
    rows = (
        ours.annotate(kind=Substr("tag", 1, _BEHIND), moment=Substr("tag", _BEHIND + 1))
        .order_by()
        .values_list("dataset__name", "mark", "kind")
        .annotate(last=Max("tag", filter=possible), ahead=Max("tag", filter=~possible))
    )
    found: dict[str, Taken] = {}
    for name, mark, _, last, ahead in rows:
        if mark != guids.get(name.partition("/")[0]):
            continue
        of_it = found.setdefault(name, Taken())
        if read := read_tag(last or ""):
            of_it.newest[read[0]] = read[1]
        if read := read_tag(ahead or ""):
            of_it.ahead = max(read[1], of_it.ahead or read[1])
    return found


def of(datasets: Iterable[str], inventory: Inventory) -> dict[str, tuple[Snapshot, ...]]:
    """All indexed snapshots of these datasets, without those below them."""
    wanted = SnapshotNeeds(datasets=tuple(datasets), everywhere_below=False)
    return reading.with_known(inventory, wanted).snapshots


def known(dataset: str, inventory: Inventory) -> Inventory:
    """`inventory` with the indexed snapshots of `dataset`."""
    return msgspec.structs.replace(inventory, snapshots=of((dataset,), inventory))

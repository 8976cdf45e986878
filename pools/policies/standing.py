"""How a dataset stands with its policy: where it comes from, what is due when, and whether it is fresh."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from host.inventory import Dataset, Inventory
from pools.policies import index
from pools.policies.rules import slots
from pools.policies.rules.due import due_tier
from pools.policies.rules.effective import Effective, effective


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset that has a policy. `since` is when it could first have been snapshotted."""

    effective: Effective
    newest: datetime | None = None
    next_run: datetime | None = None
    limit: timedelta | None = None
    age: timedelta | None = None  # of the newest; of the dataset itself where there is none
    ahead: datetime | None = None  # the newest is dated in the future, at that time

    @property
    def overdue(self) -> bool:
        """Whether its newest snapshot is older than it may be."""
        return self.limit is not None and self.age is not None and self.age > self.limit


def standing(found: Effective, dataset: Dataset, taken: index.Taken, now: datetime) -> Standing:
    """Pure: by what the index knows of the dataset."""
    if found.policy is None or not found.acts:
        return Standing(effective=found)
    last = max(taken.newest.values(), default=None)
    created = dataset.number("creation")
    since = last or (datetime.fromtimestamp(created, now.tzinfo) if created else None)
    due = due_tier(found.policy, taken.newest, now) is not None
    return Standing(
        effective=found,
        newest=last,
        next_run=now if due else slots.next_run(found.policy, now),
        limit=found.policy.max_age,
        age=None if since is None else max(timedelta(0), now - since),
        ahead=taken.ahead,
    )


def standings(inventory: Inventory, now: datetime) -> tuple[Standing, ...]:
    """Of all datasets that have a policy, in ZFS's order."""
    return _all(inventory, index.taken(inventory, now), now)


def standing_of(dataset: Dataset, inventory: Inventory, now: datetime) -> Standing:
    """Of one dataset, with or without a policy."""
    found = effective(dataset, inventory)
    taken = index.taken(inventory, now, dataset.name) if found.acts else {}
    return standing(found, dataset, taken.get(dataset.name, index.Taken()), now)


def _all(inventory: Inventory, taken: Mapping[str, index.Taken], now: datetime) -> tuple[Standing, ...]:
    rows: list[Standing] = []
    for dataset in inventory.datasets:
        found = effective(dataset, inventory)
        if found.origin != "none":
            rows.append(standing(found, dataset, taken.get(dataset.name, index.Taken()), now))
    return tuple(rows)

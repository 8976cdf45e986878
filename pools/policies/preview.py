"""What a policy would keep and delete, now, in a month and in a year: nothing is changed."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from host.inventory import Inventory, Snapshot
from pools.policies.rules import slots
from pools.policies.rules.calendar import Calendar, calendar
from pools.policies.rules.effective import effective
from pools.policies.rules.policy import Policy
from pools.policies.rules.retention import doomed

MONTH, YEAR = timedelta(days=30), timedelta(days=365)


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """Three calendars, what would be deleted at once, and when the next ones are taken."""

    now: Calendar
    month: Calendar
    year: Calendar
    deletes: tuple[Snapshot, ...]
    next_runs: tuple[datetime, ...]


def preview(policy: Policy, dataset: str | None, inventory: Inventory, now: datetime) -> Preview:
    """Of `policy` on `dataset` (None: on one that is empty), with the snapshots in `inventory`."""
    found = inventory.dataset(dataset) if dataset else None
    pool = inventory.pool(found.pool) if found else None
    guid = pool.guid if pool else "1"
    existing = inventory.snapshots.get(found.name, ()) if found else ()
    before = effective(found, inventory) if found else None
    going = doomed(existing, policy, now, pool_guid=guid)
    if before is not None and before.acts and before.policy is not None:
        known = {one.name for one in doomed(existing, before.policy, now, pool_guid=guid)}
        going = tuple(one for one in going if one.name not in known)
    left = [one for one in existing if one not in going]
    at = {"now": now, "month": now + MONTH, "year": now + YEAR}
    calendars = {
        name: calendar(policy, left, now=now, at=moment, pool_guid=guid) for name, moment in at.items()
    }
    return Preview(**calendars, deletes=going, next_runs=next_runs(policy, now, 5))


def next_runs(policy: Policy, now: datetime, count: int) -> tuple[datetime, ...]:
    """The next `count` times at which something is taken."""
    found: list[datetime] = []
    while len(found) < count and (moment := slots.next_run(policy, found[-1] if found else now)):
        found.append(moment)
    return tuple(found)

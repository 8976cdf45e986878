"""What should have run on schedule and did not: scrubs that failed, snapshots that are not taken."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.evidence import Evidence, PolicyTrouble, ScheduleTrouble
from alerts.incidents.cause import Cause
from alerts.remedy import Remedy, of_pool
from host.inventory import Inventory, Pool


def causes(inventory: Inventory, memory: Evidence) -> Iterator[Cause]:
    """One for each schedule, and one for the snapshot policies of each pool. Of a suspended pool
    nothing is reported: nothing can run there, and that is reported already."""
    pools = {pool.guid: pool for pool in inventory.pools if not pool.suspended}
    for trouble in memory.schedules_failing:
        if trouble.pool_guid in pools:
            yield _schedule(trouble)
    for guid, failing in memory.policies_failing.items():
        if guid in pools:
            yield _snapshots(pools[guid], failing)


def _schedule(trouble: ScheduleTrouble) -> Cause:
    page = f"/jobs/{trouble.job}/"
    return Cause(
        key=f"schedule:{trouble.id}", kind="schedule-failed", severity="warning", pool=trouble.pool,
        pool_guid=trouble.pool_guid, title=f"{trouble.pool}: the scheduled {trouble.what} failed",
        details=(
            trouble.said or "The job says why.",
            "It is tried again at the next scheduled time, not before.",
        ),
        steps=(
            Remedy(words="See how far it got, and its output.", page=page, label=f"Job {trouble.job}"),
            of_pool(trouble.pool, f"Then start the {trouble.what} again by hand.", "The pool"),
        ),
        subjects=(f"schedule:{trouble.id}",), since=trouble.since,
    )  # fmt: skip


def _snapshots(pool: Pool, trouble: PolicyTrouble) -> Cause:
    page = f"/jobs/{trouble.job}/" if trouble.job else "/policies/"
    return Cause(
        key=f"snapshots:{pool.guid}", kind="snapshots-failing", severity="warning", pool=pool.name,
        pool_guid=pool.guid, title=f"{pool.name}: scheduled snapshots cannot be taken",
        details=(
            trouble.said or "The job says why.",
            "It is tried again every 15 minutes. Until then nothing newer can be restored.",
        ),
        steps=(Remedy(words="See what the last run reported.", page=page, label="The last run"),),
        subjects=(f"snapshots:{pool.guid}",), since=trouble.since,
    )  # fmt: skip

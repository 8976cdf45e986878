"""Pools that are nearly full: reported while there is room left to do something about it."""

from __future__ import annotations

from collections.abc import Iterator

from alerts import remedy
from alerts.evidence import Evidence
from alerts.fullness import space_of
from alerts.incidents.cause import Cause
from alerts.remedy import Remedy
from host.inventory import Inventory

WARNING_PERCENT, CRITICAL_PERCENT = 90, 95
_BELOW = 2  # so far it has to go back first: one that swings around a bound is one incident


def causes(inventory: Inventory, memory: Evidence) -> Iterator[Cause]:
    """One for each such pool. One that stands still has other troubles."""
    for pool in inventory.pools:
        space = None if pool.health in {"suspended", "faulted"} else space_of(pool, inventory)
        if space is None:
            continue
        used, available = space
        percent = 100 * used / (used + available)
        if percent < WARNING_PERCENT - _BELOW * (pool.guid in memory.nearly_full):
            continue
        full = available == 0
        yield Cause(
            key=f"full:{pool.guid}", kind="pool-full",
            severity="critical" if percent >= CRITICAL_PERCENT else "warning",
            impact=2 if full else 0, pool=pool.name, pool_guid=pool.guid,
            title=f"{pool.name} is full" if full else f"{pool.name} is {int(percent)} % full",
            details=(
                "Nothing can be written to it any more: programs fail with “No space left on device”."
                if full
                else f"{available >> 30} GiB are free. When it is full, programs that write to it fail, and "
                "even deleting becomes difficult.",
                "ZFS searches long for free space by now, and writes in small pieces.",
            ),
            steps=(
                Remedy(words="See which datasets and snapshots use the most space, and delete what is not "
                             "needed.", page="/datasets/", label="Datasets"),
                remedy.of_pool(pool.name, "Or make it larger: add a vdev, or replace its disks with larger "
                               "ones.", "See its vdevs", "#vdevs"),
            ),
            subjects=(f"full:{pool.guid}",),
        )  # fmt: skip

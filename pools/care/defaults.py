"""The schedules that every pool has unless its owner wants others."""

from __future__ import annotations

from collections.abc import Iterator

from host.inventory import Inventory, Pool, leaves
from jobs.schedules.overdue import LONGEST_AGE_DAYS
from jobs.schedules.stored import ScheduleSpec

# The first Sunday and the third Saturday of the month, at night: apart, and not when people need the machine.
SCRUB_CRON, TRIM_CRON = "0 2 1-7 * sun", "0 3 15-21 * sat"


def defaults(inventory: Inventory, time_zone: str) -> tuple[ScheduleSpec, ...]:
    """A monthly scrub of each pool, and a monthly trim of those on SSDs that do not trim by themselves."""
    return tuple(wanted for pool in inventory.pools for wanted in _of(pool, time_zone))


def care_of(pool: Pool, kind: str) -> tuple[str, dict[str, str]]:
    """The operation and request that `kind` (scrub or trim) stands for."""
    return f"pool.{kind}", {"name": pool.name, "action": "start"}


def _of(pool: Pool, time_zone: str) -> Iterator[ScheduleSpec]:
    if pool.readonly:
        return
    operation, request = care_of(pool, "scrub")
    yield ScheduleSpec(
        subject=f"pool:{pool.guid}", operation=operation, request=request, cron=SCRUB_CRON,
        time_zone=time_zone, longest_age_days=LONGEST_AGE_DAYS,
    )  # fmt: skip
    if pool.properties.get("autotrim") == "off" and can_trim(pool):
        operation, request = care_of(pool, "trim")
        yield ScheduleSpec(
            subject=f"pool:{pool.guid}", operation=operation, request=request, cron=TRIM_CRON,
            time_zone=time_zone,
        )  # fmt: skip


def can_trim(pool: Pool) -> bool:
    """Whether any of its data devices can be trimmed."""
    return any(leaf.trims for top in pool.vdevs if top.role not in {"spare", "cache"} for leaf in leaves(top))

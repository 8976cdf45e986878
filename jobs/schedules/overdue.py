"""Whether a pool went too long without a scrub."""

from __future__ import annotations

from datetime import UTC, datetime

from host.inventory import Inventory, Pool

LONGEST_AGE_DAYS = 35  # a month, and some days to find time for it


def days_without_scrub(pool: Pool, inventory: Inventory, now: datetime) -> int | None:
    """Whole days since the last complete scrub, or since the pool was made; None where neither is known."""
    if pool.last_scrub is not None:
        return max(0, (now - datetime.fromisoformat(pool.last_scrub)).days)
    root = inventory.dataset(pool.name)
    created = root.number("creation") if root else 0
    return max(0, (now - datetime.fromtimestamp(created, UTC)).days) if created else None


def longest_age_days(pool: Pool, inventory: Inventory) -> int:
    """After how many days without one it counts as overdue: what its schedule says, or 35."""
    ages = (
        schedule.longest_age_days
        for schedule in inventory.schedules
        if schedule.operation == "pool.scrub" and schedule.subject == f"pool:{pool.guid}"
    )
    return next((age for age in ages if age is not None), LONGEST_AGE_DAYS)


def overdue(pool: Pool, inventory: Inventory, now: datetime) -> int | None:
    """The days without a scrub if they are too many; None while it is scrubbed and where all is well."""
    scan = pool.scan
    if scan is not None and scan.state == "SCANNING" and scan.function == "SCRUB" and scan.paused is None:
        return None
    days = days_without_scrub(pool, inventory, now)
    return days if days is not None and days > longest_age_days(pool, inventory) else None

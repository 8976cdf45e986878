"""The state of pools' copies, and what keeps a pool from taking any."""

from __future__ import annotations

from host.inventory import Dataset, Inventory, Pool
from host.system.own_datasets import of_pool

LONGEST_NAME = 255


def shelf(pool: Pool, inventory: Inventory) -> Dataset | None:
    """The dataset of a pool that holds copies."""
    name = of_pool(pool.name)
    return next((one for one in inventory.keeping if one.name == name), None)


def obstacle(pool: Pool, inventory: Inventory) -> str | None:
    """Why no copy can be written to a pool now; None where one can."""
    if pool.suspended:
        return f"{pool.name} is suspended: nothing can be written until its disks are back."
    if pool.readonly:
        return f"{pool.name} was imported read-only."
    if len(of_pool(pool.name)) > LONGEST_NAME:
        return f"The name of {pool.name} is too long for a dataset below it."
    return unreachable(pool, inventory)


def unreachable(pool: Pool, inventory: Inventory) -> str | None:
    """Why no copy can be read from a pool now; None where one can, if there is any."""
    if pool.suspended:
        return f"{pool.name} is suspended: nothing can be read until its disks are back."
    known = shelf(pool, inventory) or inventory.dataset(pool.name)
    if known is not None and known.value("keystatus") == "unavailable":
        return f"{pool.name} is locked. Unlock it to reach its backups."
    return None

"""The pool that a request names, and what keeps anything from being done with it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.inventory import Inventory, Pool
from jobs.planning.findings import Findings

PoolText = Annotated[str, Meta(max_length=1024)]


def imported(name: str, inventory: Inventory, findings: Findings, *, field: str = "name") -> Pool:
    """The imported pool called `name`. Raises `Refused` with all of `findings` where there is none."""
    pool = inventory.pool(name)
    if pool is None:
        findings.refuse("unknown-pool", field, "No pool of that name is imported.")
    return pool


def check_writable(pool: Pool, findings: Findings, *, field: str = "name") -> None:
    """ZFS changes nothing in a pool that is suspended or was imported read-only."""
    if pool.suspended:
        message = (
            f"{pool.name} is suspended: too many of its disks do not respond. Put them back and clear the "
            "pool first."
        )
        findings.error("suspended", field, message)
    elif pool.readonly:
        message = f"{pool.name} is imported read-only. Export it and import it for writing first."
        findings.error("read-only", field, message)

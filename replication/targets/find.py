"""A target by its number."""

from __future__ import annotations

from host.inventory import Inventory
from host.replication.values import Target
from jobs.planning.findings import Findings


def find(number: int, inventory: Inventory, findings: Findings) -> Target:
    """Raises `Refused` where there is none."""
    found = inventory.replicating.target(number)
    if found is None:
        findings.refuse("unknown-target", "id", "There is no such target.")
    return found


def remote(number: int, inventory: Inventory, findings: Findings) -> Target:
    """One on another machine. Raises `Refused`."""
    found = find(number, inventory, findings)
    if not found.connection:
        findings.refuse("not-remote", "id", f"{found.name} is a pool of this machine.")
    return found

"""A pairing by its number."""

from __future__ import annotations

from host.inventory import Inventory
from host.replication.values import Pairing
from jobs.planning.findings import Findings


def find(number: int, inventory: Inventory, findings: Findings) -> Pairing:
    """Raises `Refused` where there is none."""
    found = inventory.replicating.pairing(number)
    if found is None:
        findings.refuse("unknown-pairing", "id", "There is no such pairing.")
    return found


def only_its(names: tuple[str, ...], known: Pairing, inventory: Inventory) -> tuple[str, ...]:
    """Those of its datasets that no other pairing has, and that are still there."""
    others = {
        name
        for one in inventory.replicating.pairings
        if one.id != known.id
        for name in (one.dataset, *one.shared)
    }
    return tuple(name for name in names if name not in others and inventory.dataset(name) is not None)

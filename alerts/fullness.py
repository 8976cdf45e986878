"""How full a pool is, as its owner can use it."""

from __future__ import annotations

from host.inventory import Inventory, Pool


def space_of(pool: Pool, inventory: Inventory) -> tuple[int, int] | None:
    """Used and available bytes by the pool's root dataset; None where they are not known."""
    root = inventory.dataset(pool.name)
    if root is None or root.value("used") is None:
        return None
    used, available = root.number("used"), root.number("available")
    return (used, available) if used + available else None

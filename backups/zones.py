"""The time zone of schedules that name none."""

from __future__ import annotations

from host.inventory import Inventory


def zone_of(chosen: str | None, inventory: Inventory) -> str:
    """The one that was chosen, or that of the machine."""
    return chosen or inventory.naming.time_zone or "UTC"

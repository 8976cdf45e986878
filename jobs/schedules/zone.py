"""The time zone of schedules, until somebody says another."""

from __future__ import annotations

from django.conf import settings

from host.inventory import Inventory


def usual_zone(inventory: Inventory) -> str:
    """What the installation was told (`NASWEB_TIME_ZONE`), or else the machine's own as it is now.

    A simulated machine keeps its own time, and its schedules follow the machine that they run on.
    """
    told: str = settings.NASWEB_TIME_ZONE
    if settings.NASWEB_TIME_ZONE_GIVEN or inventory.facts.kind != "local":
        return told
    return inventory.naming.time_zone or told

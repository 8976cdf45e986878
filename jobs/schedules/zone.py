"""The time zone of new schedules and of what pages show: that of the machine, as it is now."""

from __future__ import annotations

from django.conf import settings

from host.inventory import Inventory


def usual_zone(inventory: Inventory | None) -> str:
    """What the installation was given (`NASWEB_TIME_ZONE`), or else what was chosen for the machine.

    Of a machine that does not say, it is what this process found when it started.
    """
    report: str = settings.NASWEB_TIME_ZONE
    if settings.NASWEB_TIME_ZONE_GIVEN or inventory is None:
        return report
    return inventory.naming.time_zone or report

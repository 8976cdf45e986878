"""What zed reported of late and no probe shows, for the incidents."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from alerts.evidence import ZedTrouble
from alerts.incidents.reported import CALM, LONGEST_CALM
from alerts.models import ZfsEvent
from host.zed import FAULTS


def care(now: datetime) -> tuple[ZedTrouble, ...]:
    """One for each class, pool and vdev of which something was heard within its calm time. What seems to be
    of the future was heard before the clock was set back: that is long ago, too."""
    found: dict[tuple[str, str, str], list[ZfsEvent]] = defaultdict(list)
    wanted = [f"{FAULTS}{name}" for name in CALM]
    for row in ZfsEvent.objects.filter(event__in=wanted, heard_at__gt=now - LONGEST_CALM).order_by("pk"):
        name = row.event.removeprefix(FAULTS)
        if abs(now - row.heard_at) < CALM[name]:
            found[name, row.pool_guid, row.vdev_guid].append(row)
    return tuple(
        ZedTrouble(
            name=name, pool_guid=pool, vdev_guid=vdev, count=sum(row.count for row in rows),
            moments=sum(row.moments for row in rows), since=rows[0].at.isoformat(),
            longest_s=max((row.longest_s for row in rows if row.longest_s is not None), default=None),
        )
        for (name, pool, vdev), rows in found.items()
    )  # fmt: skip

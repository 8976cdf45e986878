"""Puts events of pools into the histories of the open incidents that they belong to.

- An event of a disk belongs to the incident about that disk. What was done about it, such as a spare that
  takes over or a resilver that ends, belongs to every open incident of the pool.
- It is one line however often it came: the line is written anew with the count.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from alerts.incidents import recording
from alerts.models import Incident, ZfsEvent
from alerts.zed.classes import is_fault
from host.zed import CHANGES

_EARLIER = timedelta(minutes=5)  # what came first often led to the incident
_RECENT = timedelta(hours=1)
# What is done about another disk, such as a spare that takes over, says nothing of these.
_OF_ONE_DISK = {"disk-errors", "disk-failing", "disk-slow", "disk-delays", "disk-hung", "transfer-errors"}
_OF_NO_INCIDENT = (f"{CHANGES}pool_", f"{CHANGES}vdev_check")


def attach() -> None:
    """Bring the histories up to what was heard in the last hour."""
    incidents = list(Incident.objects.filter(closed_at=None).exclude(pool_guid=""))
    if not incidents:
        return
    rows = list(ZfsEvent.objects.filter(heard_at__gt=timezone.now() - _RECENT).order_by("pk"))
    about = {subject for one in incidents for subject in one.cause["subjects"]}
    for incident in incidents:
        lines = [
            recording.Line(
                source=f"zfs:{row.pk}", order=row.pk, at=row.at, words=row.words,
                faults=row.count if is_fault(row.event) else 0,
            )
            for row in rows
            if row.heard_at >= incident.opened_at - _EARLIER and _belongs(row, incident, about)
        ]  # fmt: skip
        recording.set_lines(incident, lines, timezone.now())


def _belongs(row: ZfsEvent, incident: Incident, about: Iterable[str]) -> bool:
    if row.pool_guid != incident.pool_guid or row.event.startswith(_OF_NO_INCIDENT):
        return False
    subjects = incident.cause["subjects"]
    leaf = f"leaf:{row.vdev_guid}"
    if not row.vdev_guid or leaf in subjects:
        return True
    if not is_fault(row.event):
        return leaf not in about and incident.kind not in _OF_ONE_DISK
    # Of a vdev that is no disk, as of data that no copy was good of.
    return leaf not in about and any(one.startswith(("pool:", "data:")) for one in subjects)

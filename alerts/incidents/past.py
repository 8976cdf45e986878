"""Incidents of one disk, open and over."""

from __future__ import annotations

from collections.abc import Collection

from alerts.incidents.recording import cause_of
from alerts.models import Incident

_LOOKED_AT, _MOST = 300, 10  # incidents are few: years of them in the first figure


def of_disk(names: Collection[str]) -> list[Incident]:
    """The last ones about the disk of these by-id names, newest first."""
    known = set(names)
    rows = Incident.objects.order_by("-id")[:_LOOKED_AT]
    found = (row for row in rows if known & {spot.id for spot in cause_of(row).spots})
    return [row for row, _ in zip(found, range(_MOST), strict=False)]

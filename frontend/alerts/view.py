"""Incidents as values for the eye: the one place from which the console says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from alerts.incidents.cause import Event
from alerts.incidents.recording import cause_of, events_of, open_incidents
from alerts.incidents.withheld import details_for
from alerts.models import Incident
from frontend.alerts.remedy import RemedyView, remedies
from frontend.bays.lights import Spot
from frontend.states import Tone, tone_view
from host.inventory import Inventory
from jobs.wording import Link
from pools.links import pool_href

_TONES: dict[str, Tone] = {"critical": "bad", "warning": "warn", "info": "idle"}


class IncidentView(msgspec.Struct, frozen=True, kw_only=True):
    """One cause of trouble: what happened, what it means, what to do in this order."""

    id: int
    tone: Tone
    icon: str
    title: str
    details: tuple[str, ...]
    steps: tuple[RemedyView, ...]
    spots: tuple[Spot, ...]  # disks that are here, as far as no step lights them up
    place: Link | None
    pool: str
    opened_at: datetime
    calm_since: datetime | None
    closed_at: datetime | None
    times: int
    acknowledged_by: str
    acknowledged_at: datetime | None
    note: str
    events: tuple[Event, ...]


class Troubles(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong now: to be told above everything, and what somebody has read already."""

    loud: tuple[IncidentView, ...] = ()
    quiet: tuple[IncidentView, ...] = ()
    healed: tuple[IncidentView, ...] = ()  # no sign of them is left: nothing is to do
    mark: str = ""  # differs when there is something else to tell


def troubles(user: Any, inventory: Inventory | None, *, pool_guid: str | None = None) -> Troubles:
    """The incidents that are not over, worst first; of one pool where its guid is given."""
    rows = open_incidents(pool_guid)
    views = tuple(incident(row, user, inventory) for row in rows)
    return Troubles(
        loud=tuple(view for view in views if not view.calm_since and view.acknowledged_at is None),
        quiet=tuple(view for view in views if not view.calm_since and view.acknowledged_at is not None),
        healed=tuple(view for view in views if view.calm_since),
        mark=mark(rows),
    )


def mark(rows: Sequence[Incident]) -> str:
    """Differs when one of `rows` was told otherwise."""
    return ".".join(f"{row.pk}~{row.updated_at:%H%M%S%f}{'a' if row.acknowledged_at else ''}" for row in rows)


def incident(row: Incident, user: Any, inventory: Inventory | None) -> IncidentView:
    """A stored incident, with the disks it is about as far as they are here now."""
    cause = cause_of(row)
    tone = "idle" if row.closed_at else "good" if row.calm_since else _TONES.get(row.severity, "warn")
    here = {disk.id: disk for disk in inventory.disks} if inventory else {}
    known = bool(inventory and row.pool and inventory.pool(row.pool))
    steps = remedies(cause.steps, user)
    free = here.keys() - {step.spot.id for step in steps if step.spot}
    return IncidentView(
        id=row.pk, tone=tone, icon=tone_view(tone, "").icon,
        title=row.title, details=details_for(cause, user), steps=steps,
        spots=tuple(Spot(id=s.id, bay=here[s.id].bay) for s in cause.spots if s.id in free),
        place=Link(row.pool, pool_href(row.pool)) if known else None, pool=row.pool,
        opened_at=row.opened_at, calm_since=row.calm_since, closed_at=row.closed_at, times=row.times,
        acknowledged_by=row.acknowledged_by, acknowledged_at=row.acknowledged_at, note=row.note,
        events=events_of(row),
    )  # fmt: skip

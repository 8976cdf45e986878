"""Keeps incidents from one probe to the next: one row for each cause, changed in place, closed after a calm.

- What is found again is the same incident; so is a cause that shares a subject with an open one, since one
  disk that is gone may turn out to be the first of four on one cable.
- It closes once nothing was seen of it for a minute, and is opened again, not made anew, when it comes back
  within a day: whoever gets a message for each swing of a loose connector stops reading them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from django.db import transaction
from django.db.models import Q

from alerts.evidence import Evidence
from alerts.incidents.cause import Cause, Event, Impact, gravity, grown
from alerts.incidents.causes import causes
from alerts.models import Incident
from host import typed
from host.inventory import Inventory

CALM, REOPENED_WITHIN = timedelta(seconds=60), timedelta(days=1)
_MOST_EVENTS = 100
_PART_OF = "It is part of: "
_OFTEN = 3  # times that it came back: a loose connector rather than a failure


def follow(
    inventory: Inventory, memory: Evidence, unsure_before: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Bring the rows up to `inventory`. Answers the keys of causes that have to be seen once more."""
    at = datetime.fromisoformat(inventory.as_of)
    found = causes(inventory, memory)
    unsure = frozenset(cause.key for cause in found if not cause.sure)
    rows = list(Incident.objects.filter(closed_at=None)) + list(
        Incident.objects.filter(closed_at__gt=at - REOPENED_WITHIN)
    )
    matched = match(rows, found)
    with transaction.atomic():
        for cause in found:
            if (row := matched.get(cause.key)) is not None:
                _update(row, cause, at)
            elif cause.sure or cause.key in unsure_before:
                _open(cause, at)
        kept = {row.pk for row in matched.values()}
        for row in rows:
            if row.closed_at is None and row.pk not in kept and row.key not in memory.undecided:
                _calm(row, at, found)
    return unsure


def report(cause: Cause, at: datetime) -> None:
    """Record a cause that no probe finds. The next probe that does not find it either ends it."""
    recent = Q(closed_at=None) | Q(closed_at__gt=at - REOPENED_WITHIN)
    with transaction.atomic():
        row = Incident.objects.filter(recent, key=cause.key).order_by("-pk").first()
        if row is None:
            _open(cause, at)
        else:
            _update(row, cause, at)


def match(rows: Iterable[Incident], found: Iterable[Cause]) -> dict[str, Incident]:
    """The incident that each cause continues, by the cause's key. None is continued by two."""
    rows = list(rows)
    result: dict[str, Incident] = {}
    for cause in found:
        taken = {row.pk for row in result.values()}
        free = [row for row in rows if row.pk not in taken]
        same = [row for row in free if row.key == cause.key]
        related = [
            row for row in free if row.closed_at is None and set(row.cause["subjects"]) & set(cause.subjects)
        ]
        if same or related:
            result[cause.key] = (same or related)[0]
    return result


def add_event(subject: str, at: datetime, words: str) -> None:
    """Add what another source reported to the history of the open incidents that are about `subject`."""
    for row in Incident.objects.filter(closed_at=None):
        if subject in row.cause["subjects"]:
            _save(row, at, [words])


class Line(NamedTuple):
    """A line of a history that may be written anew: `source` tells which one, `order` which of them came
    later, `faults` how many failures it stands for."""

    source: str
    order: int
    at: datetime
    words: str
    faults: int = 0


def set_lines(row: Incident, lines: Iterable[Line], at: datetime) -> None:
    """Write these into the history of an incident: in place of what their source said before, else by their
    time. What had to make room in a long history does not come back."""
    events = list(row.events)
    newest = max((one["order"] for one in events if "source" in one), default=-1)
    for line in lines:
        said = {
            "at": line.at.isoformat(), "words": line.words, "source": line.source, "order": line.order,
            "faults": line.faults,
        }  # fmt: skip
        known = next((place for place, one in enumerate(events) if one.get("source") == line.source), None)
        if known is not None:
            events[known] = said
        elif line.order > newest:
            later = sum(1 for one in events if one["at"] > said["at"])
            events.insert(len(events) - later, said)
    if events != row.events:
        row.events, row.updated_at = _shortened(events), at
        row.save(update_fields=("events", "updated_at"))


def faults(row: Incident) -> int:
    """How many failures its history counts."""
    return sum(one.get("faults", 0) for one in row.events)


def cause_of(row: Incident) -> Cause:
    """What was reported last; without steps once no sign of it is left, when there is nothing to do."""
    cause = typed.convert(row.cause, Cause)
    over = row.calm_since is not None or row.closed_at is not None
    return msgspec.structs.replace(cause, steps=()) if over else cause


def impact_of(row: Incident) -> Impact:
    """As it was reported last. What an older version stored counts as the worst: it is no news that it is."""
    found: Impact = typed.convert(row.cause.get("impact", 2), Impact)
    return found


def extent_of(row: Incident) -> int:
    """As it was reported last; 0 where an older version stored it."""
    return typed.convert(row.cause.get("extent", 0), int)


def events_of(row: Incident) -> tuple[Event, ...]:
    """Its history, oldest first."""
    return typed.convert(row.events, tuple[Event, ...])


def absorbed(row: Incident) -> bool:
    """Whether it ended by becoming part of another, which is reported in its place."""
    return row.closed_at is not None and bool(row.events) and row.events[-1]["words"].startswith(_PART_OF)


def open_incidents(pool_guid: str | None = None) -> list[Incident]:
    """Those that are not over, the worst first, what is well again last; of one pool by its guid."""
    rows = Incident.objects.filter(closed_at=None)
    if pool_guid is not None:
        rows = rows.filter(pool_guid=pool_guid)
    # A pool that stands still comes before all else.
    return sorted(
        rows,
        key=lambda row: (
            row.calm_since is not None, not row.kind.startswith("pool-"),
            gravity(row.severity, impact_of(row)), row.pk,
        ),
    )  # fmt: skip


def unacknowledged() -> int:
    """How many are not over, show signs still, and were acknowledged by nobody."""
    return Incident.objects.filter(closed_at=None, calm_since=None, acknowledged_at=None).count()


def _open(cause: Cause, at: datetime) -> None:
    began = f"Reported: {cause.title}."
    Incident.objects.create(
        **_fields(cause), opened_at=at, updated_at=at, events=[{"at": at.isoformat(), "words": began}]
    )


def _update(row: Incident, cause: Cause, at: datetime) -> None:
    fields = _fields(cause)
    news: list[str] = []
    if row.closed_at is not None:
        row.times += 1
        often = "; there may be a loose connection" if row.times >= _OFTEN else ""
        news.append(f"It is back, for the {_ordinal(row.times)} time within a day{often}.")
        _unread(row)
    elif row.calm_since is not None and row.calm_since != at:
        row.times += 1
    if row.title != cause.title:
        news.append(f"Now: {cause.title}.")
    graver = gravity(cause.severity, cause.impact) < gravity(row.severity, impact_of(row))
    if row.acknowledged_at and (graver or grown(cause.extent, row.acknowledged_extent)):
        # Who has read of a warning, or of a disk, has not read of what it became.
        _unread(row)
    same = all(getattr(row, name) == value for name, value in fields.items())
    if same and not news and row.calm_since is None and row.closed_at is None:
        return
    for name, value in fields.items():
        setattr(row, name, value)
    row.calm_since = row.closed_at = None
    _save(row, at, news)


def _unread(row: Incident) -> None:
    row.acknowledged_at, row.acknowledged_by, row.note, row.acknowledged_extent = None, "", "", 0


def _calm(row: Incident, at: datetime, found: Iterable[Cause]) -> None:
    heir = next((c for c in found if set(c.subjects) & set(row.cause["subjects"])), None)
    if heir is not None:
        row.closed_at = at
        _save(row, at, [f"{_PART_OF}{heir.title}."])
    elif row.calm_since is None or row.calm_since > at:  # or the clock was set back since
        row.calm_since = at
        _save(row, at, [])
    elif at - row.calm_since >= CALM:
        row.closed_at = at
        _save(row, at, ["Resolved."])


def _save(row: Incident, at: datetime, news: Iterable[str]) -> None:
    row.updated_at = at
    row.events = _shortened([*row.events, *({"at": at.isoformat(), "words": words} for words in news)])
    row.save()


def _shortened(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The beginning and the end are what people look for."""
    return events if len(events) <= _MOST_EVENTS else [events[0], *events[1 - _MOST_EVENTS :]]


def _fields(cause: Cause) -> Mapping[str, object]:
    return {
        "key": cause.key, "kind": cause.kind, "severity": cause.severity, "pool": cause.pool,
        "pool_guid": cause.pool_guid, "title": cause.title,
        "cause": typed.decode(msgspec.json.encode(cause)),
    }  # fmt: skip


def _ordinal(count: int) -> str:
    return {2: "second", 3: "third"}.get(count, f"{count}th")

"""Keeps what zed reported of pools: a row for the events that belong together, counted on in place."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from django.utils import timezone

from alerts.evidence import Evidence
from alerts.incidents.members import all_members
from alerts.models import ZfsEvent
from alerts.zed.classes import IGNORED, in_words
from host.inventory import Inventory, ZedEvent

MOST_KEPT = 1000  # more than the machine itself remembers, so that none comes a second time
_LONGEST_WORDS = 500


def news(events: Iterable[ZedEvent]) -> tuple[ZedEvent, ...]:
    """Those that are not kept yet, or were counted on since."""
    events = tuple(one for one in events if one.name not in IGNORED)
    rows = ZfsEvent.objects.filter(key__in=[one.id for one in events])
    known = dict(rows.values_list("key", "count"))
    return tuple(one for one in events if known.get(one.id) != one.count)


def unknown(events: Iterable[ZedEvent]) -> tuple[ZedEvent, ...]:
    """Those of which no row tells yet."""
    events = tuple(events)
    known = set(ZfsEvent.objects.filter(key__in=[one.id for one in events]).values_list("key", flat=True))
    return tuple(one for one in events if one.id not in known)


def keep(events: Iterable[ZedEvent], before: Inventory, now: Inventory, memory: Evidence) -> None:
    """Write them down, and forget the oldest of all. A disk that left has the name that it had before."""
    names = {member.leaf.guid: member.name for one in (before, now) for member in all_members(one, memory)}
    heard = timezone.now()
    for event in events:
        what = names.get(event.vdev_guid or "") or event.path or event.pool or "A pool"
        tone, words = in_words(event)
        row, _ = ZfsEvent.objects.get_or_create(
            key=event.id,
            defaults={
                "at": _moment(event.at_ns), "last_at": _moment(event.last_at_ns), "heard_at": heard,
                "event": event.event, "what": what, "tone": tone, "pool": event.pool or "",
                "pool_guid": event.pool_guid or "", "vdev_guid": event.vdev_guid or "",
            },
        )  # fmt: skip
        row.heard_at, row.last_at = heard, _moment(event.last_at_ns)
        row.count, row.moments = event.count, event.moments
        row.longest_s = event.longest_s
        often = f", {event.count} times" if event.count > 1 else ""
        row.words = f"{row.what}: {words}{often}."[:_LONGEST_WORDS]
        row.save()
    oldest = ZfsEvent.objects.order_by("-pk").values_list("pk", flat=True)[MOST_KEPT : MOST_KEPT + 1]
    if oldest:
        ZfsEvent.objects.filter(pk__lte=oldest[0]).delete()


def _moment(ns: int) -> datetime:
    return datetime.fromtimestamp(ns / 1e9, UTC)

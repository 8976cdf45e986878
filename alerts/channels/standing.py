"""The state of the channels, for the doctor."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db.models import Count, Q

from alerts.channels.models import Channel
from alerts.evidence import ChannelsCare, FailingChannel


def care() -> ChannelsCare:
    """How many channels are switched on, and those whose messages do not arrive."""
    waiting = Count("deliveries", filter=Q(deliveries__ended_at=None))
    rows = list(Channel.objects.filter(enabled=True).annotate(waiting=waiting))
    return ChannelsCare(
        count=len(rows),
        failing=tuple(
            FailingChannel(
                id=row.pk, name=row.name, since=_iso(row.failing_since), said=row.last_error,
                waiting=row.waiting, last_sent=_iso(row.last_sent_at) if row.last_sent_at else None,
            )
            for row in rows
            if row.failing_since is not None
        ),
    )  # fmt: skip


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")

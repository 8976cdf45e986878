"""Makes messages of what became of the incidents since each channel's last one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from alerts.channels import decide, words
from alerts.channels.decide import LastMessage, News, Rules, Seen
from alerts.channels.models import Channel, Delivery, DeliveryState, ToldIncident
from alerts.channels.quiet import Quiet
from alerts.channels.sender import this_machine
from alerts.gathering import gather
from alerts.incidents.cause import Severity
from alerts.incidents.recording import absorbed, cause_of, faults
from alerts.models import Incident
from host import typed
from jobs import cache

_KEPT = timedelta(days=30)


def queue(now: datetime) -> int:
    """Queue the messages that are due; returns how many. Writes nothing where there is nothing new."""
    channels = list(Channel.objects.filter(enabled=True))
    if not channels:
        return 0
    report = list(ToldIncident.objects.filter(channel__in=channels, over=False))
    open_rows = list(Incident.objects.filter(closed_at=None))
    ended = Incident.objects.filter(pk__in={row.incident_id for row in report}).exclude(closed_at=None)
    rows = {row.pk: row for row in (*open_rows, *ended)}
    report += ToldIncident.objects.filter(channel__in=channels, over=True, incident__in=open_rows)
    return sum(
        _queue_one(channel, rows, [one for one in report if one.channel_id == channel.pk], now)
        for channel in channels
    )


def seen_of(row: Incident) -> Seen:
    """An incident as the rules see it."""
    return Seen(
        id=row.pk, kind=row.kind, severity=typed.convert(row.severity, Severity), opened_at=row.opened_at,
        calm=row.calm_since is not None, closed_at=row.closed_at, absorbed=absorbed(row),
        acknowledged=row.acknowledged_at is not None, faults=faults(row),
    )  # fmt: skip


def rules_of(channel: Channel, now: datetime) -> Rules:
    """What a channel wants to know, with its last messages."""
    recent = channel.deliveries.filter(test=False, created_at__gt=now - decide.WINDOW)
    quiet = None
    if channel.quiet_from and channel.quiet_until:
        quiet = Quiet(start=channel.quiet_from, end=channel.quiet_until, time_zone=channel.time_zone)
    return Rules(
        lowest=typed.convert(channel.lowest, Severity), topics=frozenset(channel.topics), quiet=quiet,
        tells_end=channel.tells_end, recent=tuple(recent.values_list("created_at", flat=True)),
    )  # fmt: skip


def _queue_one(
    channel: Channel, rows: dict[int, Incident], report: Iterable[ToldIncident], now: datetime
) -> int:
    known = {
        one.incident_id: LastMessage(
            severity=typed.convert(one.severity, Severity),
            at=one.at,
            over=one.over,
            faults=one.faults,
            more_sent=one.more_sent,
        )
        for one in report
    }
    relevant = [row for row in rows.values() if row.closed_at is None or row.pk in known]
    if not relevant:
        return 0
    found = decide.news([seen_of(row) for row in relevant], known, rules_of(channel, now), now)
    if not found:
        return 0
    message = _message(channel, rows, found)
    with transaction.atomic():
        # Whoever raises the turn writes; another tick that read at the same moment does not.
        if not Channel.objects.filter(pk=channel.pk, turn=channel.turn).update(turn=F("turn") + 1):
            return 0
        for one in found:
            ToldIncident.objects.update_or_create(
                channel=channel, incident_id=one.incident,
                defaults={
                    "severity": rows[one.incident].severity, "at": now, "over": one.act == "over",
                    "faults": faults(rows[one.incident]), "more_sent": _more_sent(one, known),
                },
            )  # fmt: skip
        if message is None:
            return 0
        Delivery.objects.create(
            channel=channel, severity=message.severity, subject=message.subject, text=message.text,
            created_at=now, due_at=now,
        )  # fmt: skip
        ended = Delivery.objects.filter(state__in=(DeliveryState.SENT, DeliveryState.FAILED))
        ended.filter(channel=channel, created_at__lt=now - _KEPT).delete()
    return 1


def _more_sent(one: News, known: dict[int, LastMessage]) -> bool:
    """Whether it was sent, since the incident began or came back, that there were more errors."""
    before = known.get(one.incident)
    begins = one.act in {"opened", "back"}
    return one.act == "more" or (before is not None and before.more_sent and not begins)


def _message(channel: Channel, rows: dict[int, Incident], found: tuple[News, ...]) -> words.Message | None:
    known = {
        one.incident: words.Item(
            act=one.act, cause=cause_of(rows[one.incident]), opened_at=rows[one.incident].opened_at,
            well_since=rows[one.incident].calm_since, closed_at=rows[one.incident].closed_at,
        )
        for one in found
    }  # fmt: skip
    report = words.items(found, known)
    if not report:
        return None
    inventory = cache.current()
    disks = gather(inventory).disks if inventory else {}
    return words.message(report, this_machine(channel.time_zone), disks)

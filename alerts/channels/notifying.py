"""Makes messages of what became of the incidents since each channel's last one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from alerts.channels import decide, words
from alerts.channels.decide import LastMessage, News, Rules, Seen
from alerts.channels.models import About, Channel, Delivery, DeliveryState, IncidentNotice
from alerts.channels.quiet import Quiet
from alerts.channels.sender import this_machine
from alerts.gathering import gather
from alerts.incidents.cause import RANKS, Impact, Severity
from alerts.incidents.recording import absorbed, cause_of, extent_of, faults, impact_of
from alerts.models import Incident
from host import typed
from jobs import cache

_KEPT = timedelta(days=30)


def queue(now: datetime) -> int:
    """Queue the messages that are due; returns how many. Writes nothing where there is nothing new."""
    channels = list(Channel.objects.filter(enabled=True))
    if not channels:
        return 0
    report = list(IncidentNotice.objects.filter(channel__in=channels, over=False))
    open_rows = list(Incident.objects.filter(closed_at=None))
    ended = Incident.objects.filter(pk__in={row.incident_id for row in report}).exclude(closed_at=None)
    passed = _maybe_passed(channels, now)
    rows = {row.pk: row for row in (*open_rows, *ended, *passed)}
    reported = Q(incident__in=open_rows) | Q(incident__in=passed)
    report += IncidentNotice.objects.filter(reported, channel__in=channels, over=True)
    _rebase(report, now)
    return sum(
        _queue_one(channel, rows, [one for one in report if one.channel_id == channel.pk], now)
        for channel in channels
    )


def _maybe_passed(channels: Iterable[Channel], now: datetime) -> list[Incident]:
    """What is over, and may have been held back by quiet hours."""
    if not any(channel.quiet_from for channel in channels):
        return []
    return list(Incident.objects.filter(closed_at__gt=now - decide.HELD_FOR))


def _rebase(report: Iterable[IncidentNotice], now: datetime) -> None:
    """Store times that a clock left in the future as now, so that the next reminder is an interval away."""
    for row in report:
        moment = decide.rebased(row.at, now)
        if moment != row.at:
            IncidentNotice.objects.filter(pk=row.pk, at=row.at).update(at=moment)
            row.at = moment


def seen_of(row: Incident) -> Seen:
    """An incident as the rules see it."""
    return Seen(
        id=row.pk, kind=row.kind, severity=typed.convert(row.severity, Severity), impact=impact_of(row),
        extent=extent_of(row), opened_at=row.opened_at,
        calm=row.calm_since is not None, closed_at=row.closed_at, absorbed=absorbed(row),
        acknowledged=row.acknowledged_at is not None, faults=faults(row),
    )  # fmt: skip


def rules_of(channel: Channel, now: datetime) -> Rules:
    """What a channel wants to know, with its last messages."""
    recent = channel.deliveries.filter(about=About.ALERTS, created_at__gt=now - decide.WINDOW)
    return Rules(
        lowest=_at_once(channel), topics=frozenset(channel.topics), quiet=quiet_of(channel),
        tells_end=channel.tells_end, since=channel.created_at,
        remind_every=timedelta(hours=channel.remind_hours) if channel.remind_hours else None,
        recent=tuple(recent.values_list("created_at", flat=True)),
    )  # fmt: skip


def quiet_of(channel: Channel) -> Quiet | None:
    """Its quiet hours."""
    if not (channel.quiet_from and channel.quiet_until):
        return None
    return Quiet(start=channel.quiet_from, end=channel.quiet_until, time_zone=channel.time_zone)


def _at_once(channel: Channel) -> Severity | None:
    """The least severity with a message of its own; what is less waits for the digest."""
    if channel.at_once == "none":
        return None
    both: list[Severity] = [typed.convert(text, Severity) for text in (channel.lowest, channel.at_once)]
    return min(both, key=RANKS.__getitem__)


def _queue_one(
    channel: Channel, rows: dict[int, Incident], report: Iterable[IncidentNotice], now: datetime
) -> int:
    known = {
        one.incident_id: LastMessage(
            severity=typed.convert(one.severity, Severity),
            impact=typed.convert(one.impact, Impact),
            extent=one.extent,
            at=one.at,
            over=one.over,
            faults=one.faults,
            more_sent=one.more_sent,
        )
        for one in report
    }
    if not rows:
        return 0
    found = decide.news([seen_of(row) for row in rows.values()], known, rules_of(channel, now), now)
    if not found:
        return 0
    message = _message(channel, rows, found, now)
    with transaction.atomic():
        # Whoever raises the turn writes; another tick that read at the same moment does not.
        if not Channel.objects.filter(pk=channel.pk, turn=channel.turn).update(turn=F("turn") + 1):
            return 0
        for one in found:
            IncidentNotice.objects.update_or_create(
                channel=channel, incident_id=one.incident,
                defaults={
                    "severity": rows[one.incident].severity, "impact": impact_of(rows[one.incident]),
                    "extent": _extent(one, rows, known),
                    "at": known[one.incident].at if one.act == "eased" else now,
                    "over": one.act in {"over", "passed"},
                    "faults": faults(rows[one.incident]), "more_sent": _more_sent(one, known),
                },
            )  # fmt: skip
        if message is None:
            return 0
        Delivery.objects.create(
            channel=channel, severity=message.severity, subject=message.subject, text=message.text,
            created_at=now, due_at=now,
        )  # fmt: skip
        forget(channel, now)
    return 1


def unsend(given_up: Iterable[Delivery]) -> None:
    """Forget that these were sent: what they reported and is open still is sent anew. In the transaction that
    gives them up."""
    for one in given_up:
        if one.about == About.ALERTS:
            IncidentNotice.objects.filter(channel=one.channel_id, at=one.created_at, over=False).delete()


def forget(channel: Channel, now: datetime) -> None:
    """Delete messages that ended long ago."""
    ended = Delivery.objects.filter(state__in=(DeliveryState.SENT, DeliveryState.FAILED))
    ended.filter(channel=channel, created_at__lt=now - _KEPT).delete()


def _extent(one: News, rows: Mapping[int, Incident], known: Mapping[int, LastMessage]) -> int:
    """What was not sent is not what the channel knows of."""
    return known[one.incident].extent if one.act == "eased" else extent_of(rows[one.incident])


def _more_sent(one: News, known: dict[int, LastMessage]) -> bool:
    """Whether it was sent, since the incident began or came back, that there were more errors."""
    before = known.get(one.incident)
    begins = one.act in {"opened", "back"}
    return one.act == "more" or (before is not None and before.more_sent and not begins)


def _message(
    channel: Channel, rows: dict[int, Incident], found: tuple[News, ...], now: datetime
) -> words.Message | None:
    known = {
        one.incident: words.Item(
            act=one.act, cause=cause_of(rows[one.incident]), opened_at=rows[one.incident].opened_at,
            well_since=rows[one.incident].calm_since, closed_at=rows[one.incident].closed_at,
            open_for=_open_for(rows[one.incident], now) if one.act == "reminder" else None,
        )
        for one in found
    }  # fmt: skip
    report = words.items(found, known)
    if not report:
        return None
    inventory = cache.current()
    disks = gather(inventory).disks if inventory else {}
    return words.message(report, this_machine(channel.time_zone), disks, template_of(channel))


def template_of(channel: Channel) -> words.Template:
    """The channel's own words."""
    return words.Template(title=channel.title_template, text=channel.text_template)


def _open_for(row: Incident, now: datetime) -> timedelta | None:
    """None where the clock was set back since."""
    return now - row.opened_at if now > row.opened_at else None

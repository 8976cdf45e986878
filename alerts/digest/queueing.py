"""Queues what is sent regularly, each at its time and once, and what somebody wants to have now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

import msgspec
import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from alerts.channels.decide import rebased
from alerts.channels.models import About, Channel, Delivery
from alerts.channels.notifying import forget, quiet_of
from alerts.channels.sender import this_machine
from alerts.channels.stored import Gone
from alerts.channels.words import Message
from alerts.digest.content import gather_digest, open_titles
from alerts.digest.due import PERIODS, Every, Time, is_due
from alerts.digest.words import alive_message, broken_message, digest_message
from alerts.report.making import make
from alerts.report.words import message as report_message
from host import typed
from jobs import broker, cache
from jobs.audit import record

_log = structlog.get_logger("channels")
Regular = Literal["digest", "alive", "report"]


class SendMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A regular message that is not waited for."""

    about: Literal["digest", "alive"]  # the report has an operation of its own, for whoever may read it


def queue(now: datetime) -> int:
    """Queue what is due; returns how many messages."""
    channels = Channel.objects.filter(enabled=True).exclude(digest="none", alive="none", report="none")
    return sum(_queue_one(row, about, now) for row in channels for about in _MESSAGES)


def message_of(row: Channel, about: Regular, now: datetime) -> Message:
    """What the channel would be sent now."""
    return _MESSAGES[about](row, now)


def send_now(row: Channel, about: Regular, actor: str) -> Delivery:
    """Have the worker send it, though it is not due; the next one comes at its time all the same.

    Raises `Gone`.
    """
    now = timezone.now()
    message = message_of(row, about, now)
    with transaction.atomic():
        if not Channel.objects.filter(pk=row.pk).exists():
            raise Gone
        sent = _store(row, about, message, now, by_hand=True)
        record(actor, "channel.send", row.name, channel=row.pk, about=about)
    broker.send("alerts.tasks.tell")
    return sent


def _queue_one(row: Channel, about: Regular, now: datetime) -> int:
    every = getattr(row, about)
    if every == "none":
        return 0
    column = f"{about}_at"
    last: datetime | None = getattr(row, column)
    mine = Channel.objects.filter(pk=row.pk, enabled=True, turn=row.turn, **{about: every, column: last})
    if last is None or rebased(last, now) != last:
        mine.update(**{column: now})  # from now on
        return 0
    time = Time(every=every, at=row.regular_at, weekday=row.regular_on, time_zone=row.time_zone)
    quiet = quiet_of(row)
    if (quiet is not None and quiet.holds(now)) or not is_due(time, last, now):
        return 0
    message = _made(row, about, now)
    with transaction.atomic():
        # Whoever raises the turn writes; another tick that read at the same moment does not.
        if not mine.update(turn=F("turn") + 1, **{column: now}):
            return 0
        _store(row, about, message, now)
        forget(row, now)
    row.turn += 1
    return 1


def _made(row: Channel, about: Regular, now: datetime) -> Message:
    """That one cannot be made is a message, too: once, and not an error at each tick."""
    try:
        return message_of(row, about, now)
    except Exception:  # noqa: BLE001 - whatever it is, somebody waits for this message
        _log.exception("regular message broke", channel=row.pk, about=about)
        return broken_message(about, this_machine(row.time_zone))


def _store(
    row: Channel, about: Regular, message: Message, now: datetime, *, by_hand: bool = False
) -> Delivery:
    """One that was asked for by hand is not tried again for a day, as no test is."""
    return Delivery.objects.create(
        channel=row, test=by_hand, about=About(about), severity=message.severity, subject=message.subject,
        text=message.text, created_at=now, due_at=now,
    )  # fmt: skip


def _digest(row: Channel, now: datetime) -> Message:
    every = typed.convert(row.digest if row.digest != "none" else "daily", Every)
    since = min(row.digest_at or now - PERIODS[every], now)
    if since == now:
        since = now - PERIODS[every]
    return digest_message(gather_digest(row, since, now), every, this_machine(row.time_zone))


def _alive(row: Channel, now: datetime) -> Message:
    inventory = cache.current()
    probed_at = datetime.fromisoformat(inventory.as_of) if inventory else None
    return alive_message(open_titles(), probed_at, now, this_machine(row.time_zone))


def _report(row: Channel, now: datetime) -> Message:
    inventory = cache.current()
    if inventory is None:
        raise LookupError("The machine has not been probed yet.")
    return report_message(make(inventory, now), this_machine(row.time_zone))


_MESSAGES: dict[Regular, Callable[[Channel, datetime], Message]] = {
    "digest": _digest, "alive": _alive, "report": _report,
}  # fmt: skip

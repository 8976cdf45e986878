"""Queues the report as one message to a channel."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from alerts.channels.models import About, Channel, Delivery, DeliveryState
from alerts.channels.sender import this_machine
from alerts.channels.words import Message
from alerts.report.value import HealthReport
from alerts.report.words import message
from jobs import broker
from jobs.audit import record
from jobs.plan import Refused
from jobs.planning.findings import fault


def message_to(channel: Channel, report: HealthReport) -> Message:
    """The message as that channel would get it. Raises `Refused` for a channel that is turned off."""
    if not channel.enabled:
        raise Refused(
            (fault("channel-off", "channel", f"“{channel.name}” is turned off. Turn it on first."),)
        )
    return message(report, this_machine(channel.time_zone))


def queue(channel: Channel, report: HealthReport, actor: str, now: datetime) -> Delivery | None:
    """The message on its way: one that waits already is sent once. None where the channel is gone.

    Raises `Refused` as `message_to` does.
    """
    made = message_to(channel, report)
    with transaction.atomic():
        # Transactions are made one after the other (settings, `transaction_mode`): the next finds this one's.
        if not Channel.objects.filter(pk=channel.pk).exists():
            return None
        waiting = Delivery.objects.filter(channel=channel, state=DeliveryState.QUEUED, about=About.REPORT)
        if (known := waiting.first()) is not None:
            return known
        sent = Delivery.objects.create(
            channel=channel, about=About.REPORT, severity=made.severity, subject=made.subject, text=made.text,
            created_at=now, due_at=now,
        )  # fmt: skip
        record(actor, "report.send", channel.name, channel=channel.pk)
    broker.send("alerts.tasks.tell")  # without a queue the next tick sends it
    return sent

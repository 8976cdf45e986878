"""Sends what is queued. Each message is taken by a conditional UPDATE, so that nobody sends it twice.

One that was being sent when the worker was killed is tried again after some minutes: two messages about
a failed disk are better than none.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.views.decorators.debug import sensitive_variables

from alerts.channels import keys, sealing
from alerts.channels.check import check, hosts_of
from alerts.channels.hosts import ITSELF, Own, fault_of_address, fault_of_host
from alerts.channels.kinds import KINDS
from alerts.channels.models import Channel, Delivery, DeliveryState
from alerts.channels.notifying import unsend
from alerts.channels.own import is_here, own
from alerts.channels.trying import LONGEST_PAUSE, next_try
from alerts.channels.words import Message
from alerts.incidents.cause import Severity
from host.typed import convert
from jobs.planning.findings import Findings

_log = structlog.get_logger("channels")
_AT_ONCE = 10
_LOST_AFTER = timedelta(minutes=5)  # longer than the slowest server is waited for
# Kind, values and message → why it failed; empty when it was sent.
Send = Callable[[str, dict[str, str], Message], str]


def deliver(now: datetime, send: Send) -> int:
    """Try what is due; how many were sent. `send` raises nothing."""
    sent, failing = 0, set[int]()
    for row in _find(now):
        if row.channel_id not in failing:  # another server is not to wait for one that does not answer
            arrived = _deliver_one(row, now, send)
            sent += arrived
            failing |= set() if arrived else {row.channel_id}
    return sent


def _find(now: datetime) -> list[Delivery]:
    # Asked every few seconds, and nearly always there are none: what is asked below takes far longer.
    if not Delivery.objects.filter(state__in=(DeliveryState.QUEUED, DeliveryState.SENDING)).exists():
        return []
    lost = Q(state=DeliveryState.SENDING, claimed_at__lt=now - _LOST_AFTER)
    # Times that lie too far ahead were written before the clock was set back.
    lost |= Q(state=DeliveryState.SENDING, claimed_at__gt=now + _LOST_AFTER)
    due = Q(due_at__lte=now) | Q(due_at__gt=now + LONGEST_PAUSE + _LOST_AFTER)
    wanted = Q(channel__enabled=True) | Q(test=True)
    rows = Delivery.objects.filter(wanted, Q(due, state=DeliveryState.QUEUED) | lost)
    return list(
        rows.select_related("channel").order_by(
            F("channel__failing_since").asc(nulls_first=True), "due_at", "id"
        )[:_AT_ONCE]
    )


def _deliver_one(row: Delivery, now: datetime, send: Send) -> bool:
    mine = Delivery.objects.filter(pk=row.pk, state=row.state, tries=row.tries)
    if not mine.update(state=DeliveryState.SENDING, claimed_at=now, tries=F("tries") + 1):
        return False
    message = Message(severity=convert(row.severity, Severity), subject=row.subject, text=row.text)
    said = _send(row.channel, message, send)
    taken = Delivery.objects.filter(pk=row.pk, state=DeliveryState.SENDING, tries=row.tries + 1)
    if not said:
        taken.update(state=DeliveryState.SENT, said="", ended_at=now)
        Channel.objects.filter(pk=row.channel_id).update(last_sent_at=now, failing_since=None, last_error="")
        return True
    _log.warning("not delivered", channel=row.channel_id, delivery=row.pk, error=said)
    again = None if row.test else next_try(row.tries + 1, row.created_at, now)
    if again is not None:
        taken.update(state=DeliveryState.QUEUED, said=said[:500], due_at=again)
    else:
        with transaction.atomic():
            if taken.update(state=DeliveryState.FAILED, said=said[:500], ended_at=now) and not row.test:
                unsend((row,))
    failing = Channel.objects.filter(pk=row.channel_id)
    failing.filter(failing_since=None).update(failing_since=now)
    failing.update(last_error=said[:500])
    return False


@sensitive_variables("values")
def _send(channel: Channel, message: Message, send: Send) -> str:
    """Why it could not be sent; empty when it was."""
    kind = KINDS.get(channel.kind)
    if kind is None:
        return "This version does not know this kind of channel."
    values = dict(channel.fields)
    try:
        private = keys.private_key()
        for name, sealed in channel.secrets.items():
            values[name] = sealing.unseal(sealed, private, sealing.place(kind, channel.fields, name))
    except sealing.CannotOpen:
        return "The secret was encrypted for another machine or server and cannot be read. Enter it again."
    except OSError:
        return "The worker cannot read its own key. See its log."
    machine = own(allowed=channel.to_itself)
    findings = Findings()
    check(kind, values, findings, own=machine)
    if wrong := [finding.message for finding in findings.all()]:
        return " ".join(wrong)
    faults = () if machine.allowed else (unreachable(host, machine) for host in hosts_of(kind, values))
    return next(filter(None, faults), "") or send(channel.kind, values, message)


def unreachable(host: str, machine: Own) -> str:
    """Why nothing is sent to `host` as it is looked up now."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return f"The name {host} was not found. Check it, and whether this machine has a DNS server."
    faults = (fault_now(str(address[0]), machine) for *_, address in found)
    return next(filter(None, faults), fault_of_host(host, machine))


def fault_now(address: str, machine: Own) -> str:
    """Why nothing is sent to `address` at this moment."""
    fault = fault_of_address(address, machine)
    return fault or (ITSELF if not machine.allowed and is_here(address) else "")

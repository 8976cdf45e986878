"""Reads and writes the rows of channels. What is a secret is sealed on its way in."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from alerts.channels import keys, requests, sealing, words
from alerts.channels.kinds import KINDS
from alerts.channels.models import About, Channel, Delivery, DeliveryState
from alerts.channels.notifying import unsend
from alerts.channels.own import own
from alerts.channels.requests import ChangeChannel, CreateChannel, Settings
from alerts.channels.sender import this_machine
from alerts.incidents.cause import Severity
from alerts.rights import READS
from host import typed
from jobs import broker
from jobs.audit import record
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.rights import ADMIN, Forbidden, User, need

# After a change of these the next one counts from the change: no time that has passed comes up for it.
_WHEN = {"regular_at", "regular_on", "time_zone", "enabled"}
_REGULAR = ("digest", "alive", "report")
_ADMINS = (
    "Only an admin may let messages go to this machine itself or to link-local addresses, and change where "
    f"such a channel leads. This needs the right {ADMIN}."
)


class Gone(Exception):
    """Somebody else deleted the channel meanwhile."""


def settings_of(row: Channel) -> Settings:
    """The row as a value; of its secrets only that they are there."""
    return Settings(
        name=row.name, kind=typed.convert(row.kind, requests.KindName), fields=row.fields,
        kept=tuple(row.secrets), lowest=typed.convert(row.lowest, Severity),
        topics=typed.convert(row.topics, requests.Topics), quiet_from=row.quiet_from,
        quiet_until=row.quiet_until, time_zone=row.time_zone, tells_end=row.tells_end, enabled=row.enabled,
        goes_to=row.goes_to, remind_hours=typed.convert(row.remind_hours, requests.RemindHours),
        at_once=typed.convert(row.at_once, requests.AtOnce),
        digest=typed.convert(row.digest, requests.Repeat),
        alive=typed.convert(row.alive, requests.Seldom),
        report=typed.convert(row.report, requests.Seldom), regular_at=row.regular_at,
        regular_on=typed.convert(row.regular_on, requests.Weekday), title_template=row.title_template,
        text_template=row.text_template, to_itself=row.to_itself,
    )  # fmt: skip


def wanted(request: CreateChannel, user: User) -> Settings:
    """The channel that would be made. Raises `Refused`, and `Forbidden` for what `user` may not set: only an
    admin that it leads to this machine, and the report only who may read all that is in it."""
    asked = requests.created(request, own())
    if asked.to_itself:
        _admin(user)
    if asked.report != "none":
        need(user, *READS)
    return asked


def wanted_change(request: ChangeChannel, row: Channel, user: User) -> Settings:
    """The channel with the change applied. Raises as `wanted`: where it leads is theirs to change alone, too,
    while it may lead to this machine or gets the report."""
    before = settings_of(row)
    asked = requests.changed(request, before, own())
    moved = bool(asked.typed) or asked.fields != before.fields
    if asked.to_itself and (moved or not before.to_itself):
        _admin(user)
    if asked.report != "none" and (moved or before.report == "none"):
        need(user, *READS)
    return asked


def _admin(user: User) -> None:
    if not user.has_perm(ADMIN):
        raise Forbidden(_ADMINS)


@sensitive_variables("asked")
def create(asked: Settings, actor: str) -> Channel:
    """Make it. Raises `Refused` where nothing can be sealed yet."""
    sealed = _sealed(asked)
    with transaction.atomic():
        row = Channel.objects.create(
            **_columns(asked), kind=asked.kind, secrets=sealed, created_at=timezone.now()
        )
        record(actor, "channel.create", row.name, channel=row.pk, kind=row.kind, goes_to=row.goes_to)
    return row


@sensitive_variables("asked")
def change(row: Channel, asked: Settings, actor: str) -> Channel:
    """Store the change. What waits to be sent is tried at once. Raises `Gone`, and `Refused` as `create`."""
    secrets = {name: text for name, text in row.secrets.items() if name in asked.kept} | _sealed(asked)
    before = settings_of(row)
    columns = _columns(asked)
    with transaction.atomic():
        lost = [name for name in row.lost if name in secrets and name not in asked.typed]
        changes = sorted(name for name, value in columns.items() if value != _columns(before)[name])
        anew = dict.fromkeys(f"{name}_at" for name in _REGULAR if {name, *_WHEN} & {*changes})
        if not Channel.objects.filter(pk=row.pk).update(**columns, **anew, secrets=secrets, lost=lost):
            raise Gone
        record(
            actor, "channel.change", asked.name, channel=row.pk, changed=changes, typed=sorted(asked.typed)
        )
        waiting = Delivery.objects.filter(channel=row, state=DeliveryState.QUEUED)
        waiting.update(due_at=timezone.now())
        if not asked.enabled:
            unsend(waiting.filter(test=False))
            waiting.filter(test=False).update(
                state=DeliveryState.FAILED, said="The channel was disabled.", ended_at=timezone.now()
            )
            Channel.objects.filter(pk=row.pk).update(failing_since=None, last_error="")
        row.refresh_from_db()
    return row


def delete(row: Channel, actor: str) -> None:
    """Delete it, with what waits to be sent. Raises `Gone`."""
    with transaction.atomic():
        if not Channel.objects.filter(pk=row.pk).delete()[0]:
            raise Gone
        record(actor, "channel.delete", row.name, channel=row.pk, kind=row.kind, goes_to=row.goes_to)


def try_out(row: Channel, actor: str) -> Delivery:
    """Have the worker send a test message. Raises `Gone`."""
    now = timezone.now()
    message = words.test_message(row.name, this_machine(row.time_zone))
    with transaction.atomic():
        if not Channel.objects.filter(pk=row.pk).exists():
            raise Gone
        sent = Delivery.objects.create(
            channel=row, test=True, about=About.TEST, severity=message.severity, subject=message.subject,
            text=message.text, created_at=now, due_at=now,
        )  # fmt: skip
        record(actor, "channel.test", row.name, channel=row.pk)
    broker.send("alerts.tasks.tell")  # without a queue the next tick sends it
    return sent


def _columns(asked: Settings) -> dict[str, Any]:
    names = ("name", "fields", "lowest", "quiet_from", "quiet_until", "time_zone", "tells_end", "enabled",
             "goes_to", "remind_hours", "at_once", "digest", "alive", "report", "regular_at", "regular_on",
             "title_template", "text_template", "to_itself")  # fmt: skip
    return {name: getattr(asked, name) for name in names} | {"topics": list(asked.topics)}


@sensitive_variables("asked", "secret")
def _sealed(asked: Settings) -> dict[str, str]:
    if not asked.typed:
        return {}
    public = keys.public_key()
    if public is None:
        message = "The worker, which encrypts secrets, has not started yet. Try again in a moment."
        raise Refused((fault("no-worker", "", message),))
    kind = KINDS[asked.kind]
    return {
        name: sealing.seal(secret, public, sealing.place(kind, asked.fields, name))
        for name, secret in asked.typed.items()
    }

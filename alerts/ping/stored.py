"""Reads and writes the ping's row. Its address is sealed on its way in."""

from __future__ import annotations

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from alerts.channels import keys, sealing
from alerts.channels.own import own
from alerts.evidence import FailingPing
from alerts.ping.kind import PING
from alerts.ping.models import Ping
from alerts.ping.requests import PingSettings, SetPing, changed
from disks.records import iso
from jobs.audit import record
from jobs.plan import Refused
from jobs.planning.findings import fault


def row() -> Ping | None:
    """The row; None before anybody set it up."""
    return Ping.objects.filter(pk=1).first()


def settings_of(found: Ping | None) -> PingSettings:
    """The row as a value; of its address only that it is there."""
    if found is None:
        return PingSettings()
    return PingSettings(
        certificate=found.fields.get("certificate", "checked"), kept="url" in found.secrets,
        every_minutes=found.every_minutes, enabled=found.enabled, paused=found.paused, goes_to=found.goes_to,
    )  # fmt: skip


def wanted(request: SetPing) -> PingSettings:
    """The ping with the change applied. Raises `Refused`."""
    return changed(request, settings_of(row()), own())


@sensitive_variables("asked", "sealed")
def store(asked: PingSettings, actor: str) -> Ping:
    """Store it; the worker asks at once. Raises `Refused` where nothing can be sealed yet."""
    fields = {"certificate": asked.certificate}
    sealed: dict[str, dict[str, str]] = {}
    if asked.url:
        public = keys.public_key()
        if public is None:
            message = "The worker, which encrypts secrets, has not started yet. Try again in a moment."
            raise Refused((fault("no-worker", "", message),))
        sealed = {"secrets": {"url": sealing.seal(asked.url, public, sealing.place(PING, fields, "url"))}}
    with transaction.atomic():
        found, _ = Ping.objects.update_or_create(
            pk=1,
            defaults={
                "fields": fields, "every_minutes": asked.every_minutes, "enabled": asked.enabled,
                "paused": asked.paused, "goes_to": asked.goes_to, "last_try_at": None, "failing_since": None,
                "last_error": "", **sealed,
            },
        )  # fmt: skip
        record(
            actor, "ping.change", asked.goes_to, every_minutes=asked.every_minutes, enabled=asked.enabled,
            paused=asked.paused, typed=bool(asked.url),
        )  # fmt: skip
    return found


def delete(actor: str) -> bool:
    """Ask nobody any more. False where there is nothing to delete."""
    with transaction.atomic():
        found = row()
        if found is None:
            return False
        found.delete()
        record(actor, "ping.delete", found.goes_to)
    return True


def care() -> FailingPing | None:
    """What is wrong with it, for the doctor."""
    found = row()
    if found is None or not found.enabled or found.paused or found.failing_since is None:
        return None
    return FailingPing(
        goes_to=found.goes_to, since=iso(found.failing_since), said=found.last_error,
        last_good=iso(found.last_good_at) if found.last_good_at else None,
    )  # fmt: skip

"""The worker's tick of the ping: asks while all runs, and keeps how it went."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import structlog
from django.views.decorators.debug import sensitive_variables

from alerts.channels import keys, sealing
from alerts.channels.check import check
from alerts.channels.delivering import fault_now
from alerts.channels.own import own
from alerts.ping import asking
from alerts.ping.due import all_runs, is_due
from alerts.ping.kind import PING
from alerts.ping.models import Ping
from jobs import cache
from jobs.planning.findings import Findings

_log = structlog.get_logger("ping")
Ask = Callable[[str, bool], str]  # address, and whether its certificate must be trusted → why it failed


@sensitive_variables("url")
def _ask(url: str, trusted_only: bool) -> str:
    machine = own()
    return asking.ask(url, lambda address: fault_now(address, machine), trusted_only=trusted_only)


def tick(now: datetime, ask: Ask = _ask) -> bool:
    """Ask where it is time to; whether it was asked. Nothing is asked while something does not run: that the
    other side hears nothing is what it is there for."""
    inventory = cache.current()
    probed_at = datetime.fromisoformat(inventory.as_of) if inventory else None
    row = Ping.objects.filter(pk=1, enabled=True, paused=False).first()
    if row is None or not all_runs(probed_at, now) or not is_due(row.last_try_at, row.every_minutes, now):
        return False
    mine = Ping.objects.filter(pk=1, last_try_at=row.last_try_at)
    if not mine.update(last_try_at=now):
        return False  # another worker asks, or it was changed
    said = _try(row, ask)[:500]
    rows = Ping.objects.filter(pk=1, last_try_at=now)
    if not said:
        rows.update(last_good_at=now, failing_since=None, last_error="")
        return True
    _log.warning("ping failed", error=said)
    rows.filter(failing_since=None).update(failing_since=now)
    rows.update(last_error=said)
    return True


@sensitive_variables("url")
def _try(row: Ping, ask: Ask) -> str:
    """Why it failed; empty when it was answered."""
    try:
        place = sealing.place(PING, row.fields, "url")
        url = sealing.unseal(row.secrets.get("url", ""), keys.private_key(), place)
    except sealing.CannotOpen:
        return "The address was encrypted for another machine and cannot be read. Enter it again."
    except OSError:
        return "The worker cannot read its own key. See its log."
    findings = Findings()
    check(PING, {**row.fields, "url": url}, findings, own=own())
    if wrong := [finding.message for finding in findings.all()]:
        return " ".join(wrong)
    return ask(url, row.fields.get("certificate") != "any")

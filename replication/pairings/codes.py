"""The code that a pairing is waiting for: made, shown, compared, used up.

It lies in memory alone, as passphrases do (`jobs.secrets`), and the row has its reference. It is valid for
ten minutes and for one use. Everybody in the network may knock at the console: nothing is compared while no
code is shown, and guesses at its 80 bits are counted by address (`jobs.api.guesses`). A wrong one does not
end the code, or a neighbour could keep two machines from ever being paired.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from host.base import HostError
from host.pairing import protocol
from host.pairing.protocol import Answering, NotTheCode
from jobs import secrets, submission
from jobs.audit import record
from replication.models import PairingRow
from replication.stored import pairing_of

_log = structlog.get_logger("pairing")


class NoCodeShown(Exception):
    """No pairing waits for a code, or none that fits."""


class Owner:
    """Who accepts: whoever made the code, and had an admin's right to."""

    def __init__(self, name: str) -> None:
        self._name = name

    def has_perm(self, _perm: str) -> bool:
        """Whatever accepting needs."""
        return True

    def get_username(self) -> str:
        """As the job names it."""
        return self._name[:150]


@sensitive_variables("code")
def make(row: PairingRow, host_keys: tuple[str, ...], actor: str) -> str:
    """A new code for a pairing; an earlier one ends."""
    code = protocol.make_code()
    drop(row)
    row.code = secrets.store().put(code)
    row.code_until = timezone.now() + timedelta(seconds=protocol.VALID_S)
    row.host_keys = list(host_keys)
    with transaction.atomic():
        row.save(update_fields=["code", "code_until", "host_keys"])
        record(actor, "pairing.code", row.name)
    return code


def drop(row: PairingRow) -> None:
    """Its code is gone."""
    if row.code:
        secrets.drop([row.code])
    row.code = ""


def waits_until(row: PairingRow, now: datetime) -> datetime | None:
    """Until when its code is valid; None where none is."""
    if not row.code or row.code_until is None or row.code_until <= now:
        return None
    return row.code_until if secrets.store().has(row.code) else None


@sensitive_variables("code")
def shown(row: PairingRow, now: datetime) -> str:
    """The code that its page shows, in groups; empty where none is valid."""
    if waits_until(row, now) is None:
        return ""
    try:
        code = secrets.store().read(row.code)
    except HostError:
        return ""
    return protocol.shown(code)


@sensitive_variables("code", "answer")
def answer(data: bytes, machine: str, zfs: str) -> bytes:
    """What a machine that knows a code is answered; its key is accepted by a job. Raises `NoCodeShown`."""
    now = timezone.now()
    waiting = [row for row in PairingRow.objects.exclude(code="") if waits_until(row, now) is not None]
    for row in waiting:
        try:
            code = secrets.store().read(row.code)
            asking, asked = protocol.read_ask(data, code)
        except (NotTheCode, HostError):
            continue
        known = pairing_of(row)
        answering = Answering(
            name=machine, user=protocol.USER, port=22, host_keys=tuple(row.host_keys), root=known.dataset,
            shared=known.shared, zfs=zfs,
        )  # fmt: skip
        if not PairingRow.objects.filter(pk=row.pk, code=row.code).update(code=""):
            break  # another request was quicker
        secrets.drop([row.code])
        request = {"id": row.pk, "key": asking.key, "machine": asking.name}
        submission.submit("pairing.accept", request, Owner("pairing code"))
        return protocol.answer(answering, asked, code)
    if waiting:
        _log.warning("a machine knocked without the code")
    raise NoCodeShown

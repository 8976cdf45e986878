"""configuration.open: let root's program open a copy, so that the console can collect it by its ticket."""

from __future__ import annotations

import io
import secrets
from typing import Annotated, cast

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string
from msgspec import Meta

from host.backup.names import CopyName
from host.base import CommandFailed, Host
from host.commands.copies import HandOutCopy
from host.files.handover import Downloads, Handed, NotHanded
from host.system.own_datasets import of_pool
from jobs import questions, waiting
from jobs.audit import record
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.rights import User
from machine.backup.listing import PoolText

QUESTION = "configuration.open"
_TIMEOUT_S = 30.0


class OpenCopy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open one copy; `ticket` is new each time, and nobody but the console's own account can use it."""

    ticket: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    pool: PoolText
    copy: CopyName


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """It waits for a minute to be collected, once."""

    ticket: str


def answer(request: OpenCopy, host: Host) -> Opened:
    """Raises `Refused` with what the program said, `HostError`."""
    try:
        host.run(HandOutCopy(ticket=request.ticket, dataset=of_pool(request.pool), copy=request.copy))
    except CommandFailed as error:
        said = error.result.stderr.strip().splitlines() or [str(error)]
        raise Refused((fault("cannot-be-opened", "copy", said[-1]),)) from None
    return Opened(ticket=request.ticket)


def opened(pool: str, copy: str, user: User) -> tuple[Handed, io.FileIO]:
    """A copy, to be closed by the caller; noted in the audit log.

    Raises `Forbidden`, `Refused`, `questions.NobodyAnswers`.
    """
    ticket = secrets.token_hex(16)
    asked = questions.ask(QUESTION, {"ticket": ticket, "pool": pool, "copy": copy}, user)
    if not asked.settled:
        asked = waiting.answer(asked, timeout_s=_TIMEOUT_S)
    if not asked.settled:
        raise Refused((fault("still-asking", "", "The machine is busy. Try again."),))
    questions.value(QUESTION, asked)
    try:
        handed, descriptor = _downloads().collect(ticket)
    except NotHanded as error:
        raise Refused((fault("not-handed-over", "copy", str(error)),)) from None
    record(user.get_username(), "configuration.download", f"{pool}: {copy}", size_bytes=handed.size_bytes)
    return handed, io.FileIO(descriptor, "rb")


def _downloads() -> Downloads:
    return cast("Downloads", import_string(settings.NASWEB_DOWNLOADS_FACTORY)())

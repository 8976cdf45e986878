"""Reads that only the worker can do, because they start a command: asked here, answered in a row.

A question is a typed request that changes nothing. Whoever asks stores it and wakes the worker, which answers
into the row; to ask the same again gives the row that is there, so a page polls by asking again. To add one:
a module next to its neighbours with a request, an answer's struct and a function from the one to the other,
then a row in `nasweb/questions.py`; `jobs.api.questions.answered` makes an endpoint of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any, cast

import msgspec
import structlog
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from host import typed
from host.base import CommandFailed, Host, HostError
from jobs import broker
from jobs.models import AskedQuestion
from jobs.plan import Finding, Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode
from jobs.rights import User, need

_log = structlog.get_logger("questions")
_LONGEST_ANSWER = 8 << 20  # bytes of JSON
_TIMEOUT = timedelta(seconds=60)  # what nobody asked for again by then is not begun any more
_BROKEN = timedelta(minutes=15)  # longer than any read may take: the worker ended meanwhile
_slots = BoundedSemaphore(2)  # of the worker's four threads: jobs and probes go on beside questions


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be asked.

    `answer` is given the decoded request and the machine, on which it may run only commands that read; it
    returns a `shape`, or raises `Refused` with findings, or `HostError`. It bounds what it returns.
    """

    name: str  # dotted, such as snapshot.reclaim
    request: type[msgspec.Struct]
    shape: type[msgspec.Struct]
    answer: Callable[[Any, Host], msgspec.Struct]
    scope: str  # what the asker must be allowed, such as pools:read
    also: tuple[str, ...] = ()  # scopes that it needs beside that one
    fresh_s: float = 10.0  # how long an answer is given again to the same question


class NobodyAnswers(Exception):
    """The queue does not respond, so the worker cannot be asked."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """How far a question has come: `data` is the answer as JSON, `refused` why there will be none."""

    row_id: int
    data: bytes | None = None
    refused: Refused | None = None

    @property
    def settled(self) -> bool:
        """True once there is nothing to wait for."""
        return self.data is not None or self.refused is not None


def question(name: str) -> Question:
    """The question called `name`. Raises KeyError."""
    return cast("Mapping[str, Question]", import_string(settings.NASWEB_QUESTIONS))[name]


def ask(name: str, data: Any, user: User, *, anew: bool = False) -> Asked:
    """Ask, or read how far the same question of the same user has come; `anew`: no earlier answer will do.

    Raises `Forbidden`, `Refused` for what is wrong with its shape, `NobodyAnswers`.
    """
    wanted = question(name)
    need(user, wanted.scope, *wanted.also)
    decode(wanted.request, data)
    now = timezone.now()
    text = json.dumps((user.get_username(), name, data), sort_keys=True)
    fingerprint = hashlib.sha256(text.encode()).hexdigest()
    known = AskedQuestion.objects.filter(fingerprint=fingerprint, expires_at__gt=now).last()
    if known is not None and not (anew and _asked(known).settled):
        AskedQuestion.objects.filter(pk=known.pk).update(wanted_at=now)
        return _asked(known)
    AskedQuestion.objects.filter(expires_at__lte=now).delete()
    row = AskedQuestion.objects.create(
        fingerprint=fingerprint,
        name=name,
        request=data,
        asked_by=user.get_username(),
        wanted_at=now,
        expires_at=now + _BROKEN,
    )
    if not broker.send("jobs.tasks.answer_questions"):
        row.delete()
        raise NobodyAnswers("The queue does not respond, so the worker cannot be asked.")
    return read(row.pk)


def read(row_id: int) -> Asked:
    """How far it has come; settled without an answer where its row is gone."""
    row = AskedQuestion.objects.filter(pk=row_id).first()
    if row is None:
        return Asked(row_id=row_id, refused=Refused((fault("expired", "", "Ask again: it took too long."),)))
    return _asked(row)


def value(name: str, asked: Asked) -> Any:
    """The answer as the question's `shape`; None while there is none. Raises `Refused`."""
    if asked.refused is not None:
        raise asked.refused
    return None if asked.data is None else typed.decode(asked.data, question(name).shape)


def forget(name: str) -> None:
    """Discard stored answers after a change: whoever asks next is given a new one."""
    AskedQuestion.objects.filter(name=name, data__isnull=False).delete()


def answer_waiting(host: Host) -> None:
    """Answer what waits, oldest first, unless enough threads do so already."""
    while _slots.acquire(blocking=False):
        try:
            while (row := _take()) is not None:
                _answer(row, host)
        finally:
            _slots.release()
        # Another thread may have found no free slot and returned while this one still held its own.
        if not _waiting().exists():
            return


def _waiting() -> Any:
    since = timezone.now() - _TIMEOUT
    return AskedQuestion.objects.filter(begun=False, wanted_at__gt=since)


def _take() -> AskedQuestion | None:
    """A waiting question that no other thread has taken."""
    for row in _waiting().order_by("pk")[:20]:
        if AskedQuestion.objects.filter(pk=row.pk, begun=False).update(begun=True):
            return cast("AskedQuestion", row)
    return None


def _answer(row: AskedQuestion, host: Host) -> None:
    data: bytes | None = None
    findings: list[dict[str, str]] = []
    fresh_s = 1.0  # of a failure: soon worth another try
    try:
        wanted = question(row.name)
        answer = wanted.answer(decode(wanted.request, row.request), host)
        data, fresh_s = msgspec.json.encode(answer), wanted.fresh_s
        if len(data) > _LONGEST_ANSWER:
            data, findings = None, [_said("too-long", "The answer is too long. Ask for less.")]
    except Refused as refused:
        findings = msgspec.to_builtins(refused.findings)
        fresh_s = wanted.fresh_s
    except CommandFailed as error:
        findings = [_said("command-failed", str(error))]
    except HostError as error:
        findings = [_said("machine-silent", f"The machine could not be read: {error}")]
    except Exception as error:  # noqa: BLE001
        # Whatever goes wrong, nobody must wait for it in vain; the log has the trace.
        _log.exception("question broke", name=row.name)
        findings = [_said("internal-error", f"It broke ({type(error).__name__}). The log has the details.")]
    expires = timezone.now() + timedelta(seconds=fresh_s)
    AskedQuestion.objects.filter(pk=row.pk).update(data=data, findings=findings, expires_at=expires)


def _said(code: str, message: str) -> dict[str, str]:
    return msgspec.to_builtins(fault(code, "", message[:2000]))  # type: ignore[no-any-return]


def _asked(row: AskedQuestion) -> Asked:
    refused = Refused(typed.convert(row.findings, tuple[Finding, ...])) if row.findings else None
    return Asked(row_id=row.pk, data=None if row.data is None else bytes(row.data), refused=refused)

"""Toasts: what a click did, with its job, and the way to undo it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest

from jobs import withheld
from jobs.models import Job, State
from jobs.operation import Asked, UnknownOperation, operation, title_of

_TAG = "job-"


class ToastView(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was done or that runs; `active` asks for itself again."""

    tone: str  # good, bad or busy
    text: str
    job: int | None = None
    active: bool = False
    undo: str = ""  # what taking it back would do; empty where there is nothing to take back


def tags_of(job: Job) -> str:
    """What a message carries so that its toast can name `job`."""
    return f"{_TAG}{job.pk}"


def toasts_and_notices(request: HttpRequest) -> tuple[list[ToastView], list[Message]]:
    """What waits to be said: of jobs that went well or go on as toasts, the rest as notices of the page."""
    notices: list[Message] = []
    found: list[ToastView] = []
    waiting: Iterable[Message] = get_messages(request)
    for message in waiting:
        job = _job_of(message)
        if job is None:
            notices.append(message)
        else:
            found.append(toast_of(request, job, str(message)))
    return found, notices


def toast_of(request: HttpRequest, job: Job, text: str) -> ToastView:
    """How `job` stands, said as `text`."""
    asked = undo_of(job) if job.state == State.SUCCEEDED else None
    may = asked is not None and request.user.has_perm(operation(asked.operation).scope)
    tone = "busy" if job.active else "good" if job.state == State.SUCCEEDED else "bad"
    return ToastView(
        tone=tone, text=text, job=job.pk, active=job.active,
        undo=title_of(asked.operation, asked.data) if asked and may else "",
    )  # fmt: skip


def said(request: HttpRequest, job: Job) -> str:
    """How `job` stands, in a sentence that its reader may see."""
    title = title_of(job.operation, {} if withheld.names_files(job.operation, request.user) else job.request)
    if job.active:
        return f"{title}: job {job.pk} is running."
    return f"{title}: done." if job.state == State.SUCCEEDED else f"{title}: {job.state}."


def undo_of(job: Job) -> Asked | None:
    """What takes back what `job` did; None where nothing does."""
    try:
        return operation(job.operation).undo(job.request)
    except UnknownOperation:
        return None


def _job_of(message: Message) -> Job | None:
    tag = next((tag for tag in message.tags.split() if tag.startswith(_TAG)), None)
    return Job.objects.filter(pk=int(tag.removeprefix(_TAG))).first() if tag else None

"""Sends what the console was given to the program that makes files, and starts that where it does not run."""

from __future__ import annotations

from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from host.files.receiving import Message, NotRunning, Received, UploadRefused, Uploads
from jobs import cache, questions, waiting
from jobs.plan import Finding, Refused
from jobs.planning.findings import fault
from jobs.rights import User
from pools.files.receive import QUESTION, ticket_of
from pools.files.writers import why_not

_TIMEOUT_S = 30.0
_TRIES = 3  # it may end, as nobody sent anything, in the moment before


def send(dataset: str, user: User, message: Message, data: bytes = b"") -> Received:
    """What came of it, with the rights of the NAS user who has the name of `user`.

    Raises `Refused`, `Forbidden`, `questions.NobodyAnswers`.
    """
    if shut := shut_for(dataset, user):
        raise Refused((shut,))
    receivers = cast("Uploads", import_string(settings.NASWEB_UPLOADS_FACTORY)())
    ticket = ticket_of(dataset, user.get_username())
    for _ in range(_TRIES):
        try:
            return receivers.call(ticket, message, data)
        except UploadRefused as error:
            raise Refused((fault(error.why.code, error.why.field, error.why.message),)) from None
        except NotRunning:
            _start(dataset, user)
    raise Refused((fault("not-received", "", "The upload could not be started. Try again."),))


def shut_for(dataset: str, user: User) -> Finding | None:
    """Why this user can write nothing there; None where that is for the folders to say."""
    inventory = cache.current()
    if inventory is None:
        return fault("no-inventory", "", "The machine has not been probed yet.")
    return why_not(inventory, dataset, user.get_username())


def is_private(dataset: str) -> bool:
    """Whether what is put there is its owner's alone, as Samba makes it in a drop box."""
    inventory = cache.current()
    return inventory is not None and inventory.sharing.in_drop_box(dataset)


def _start(dataset: str, user: User) -> None:
    data = {"dataset": dataset, "person": user.get_username()}
    asked = questions.ask(QUESTION, data, user, anew=True)
    if not asked.settled:
        asked = waiting.answer(asked, timeout_s=_TIMEOUT_S)
    if not asked.settled:
        raise Refused((fault("still-asking", "", "The NAS is busy. Try again in a moment."),))
    questions.value(QUESTION, asked)

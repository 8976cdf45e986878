"""files.receive: have root start the program that makes files in a dataset for one person."""

from __future__ import annotations

import hashlib

import msgspec

from host.base import CommandFailed, Host
from host.commands.uploads import ReceiveFiles
from jobs.plan import Refused
from jobs.planning.findings import fault
from pools.files.answers import sound
from pools.files.reach import Text

QUESTION = "files.receive"
_RUNS_ALREADY = "was already loaded"  # what systemd says of a unit that is there


class ReceiveInto(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make files in `dataset` as `person`, whom the console signed in."""

    dataset: Text
    person: Text


class Receives(msgspec.Struct, frozen=True, kw_only=True):
    """Where it is reached, until nobody has sent anything for some seconds."""

    ticket: str


def ticket_of(dataset: str, person: str) -> str:
    """There is one program for a person and a dataset, however many files are sent."""
    return hashlib.sha256(f"{dataset}\n{person}".encode()).hexdigest()[:32]


def answer(request: ReceiveInto, host: Host) -> Receives:
    """Raises `Refused` with what the program said, `HostError`."""
    ticket = ticket_of(request.dataset, request.person)
    command = ReceiveFiles(ticket=ticket, dataset=request.dataset, person=request.person)
    sound(command)
    try:
        host.run(command)
    except CommandFailed as error:
        if _RUNS_ALREADY not in error.result.stderr:
            said = error.result.stderr.strip().splitlines() or [str(error)]
            raise Refused((fault("cannot-be-written", "dataset", said[-1]),)) from None
    return Receives(ticket=ticket)

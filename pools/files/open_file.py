"""files.open: let the root program open a file, so that the console can collect it by its ticket."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.base import CommandFailed, Host
from host.commands.files import HandOutFile
from jobs.plan import Refused
from jobs.planning.findings import fault
from pools.files.answers import sound
from pools.files.reach import PathText, Text


class OpenFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open `path`; `ticket` is new each time, and nobody but the console's own account can use it."""

    ticket: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    dataset: Text
    snapshot: Text | None = None
    path: PathText
    archive: bool = False


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """It waits for a minute to be collected, once."""

    ticket: str


def answer(request: OpenFile, host: Host) -> Opened:
    """Raises `Refused` with what the program said, `HostError`."""
    command = HandOutFile(
        ticket=request.ticket,
        dataset=request.dataset,
        tag=request.snapshot,
        path=request.path,
        archive=request.archive,
    )
    sound(command)
    try:
        host.run(command)
    except CommandFailed as error:
        said = error.result.stderr.strip().splitlines() or [str(error)]
        raise Refused((fault("cannot-be-opened", "path", said[-1]),)) from None
    return Opened(ticket=request.ticket)

"""A file out of a dataset or snapshot, for one who asked: opened by root's program, collected, and noted."""

from __future__ import annotations

import io
import os
import secrets
from threading import BoundedSemaphore
from typing import NamedTuple, cast

from django.conf import settings
from django.utils.module_loading import import_string

from host.files.handover import Downloads, Handed, NotHanded
from jobs import questions, waiting
from jobs.audit import record
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.rights import User

_TIMEOUT_S = 30.0
_CHUNK = 1 << 16
# Each keeps a thread of the web server busy, which has 32, for as long as its reader takes.
_slots = BoundedSemaphore(8)


class TooMany(Exception):
    """So many downloads go on that another one would slow the console down."""


class Wish(NamedTuple):
    """What to download: a file, or with `archive` a folder. `snapshot` None: as it is now."""

    dataset: str
    snapshot: str | None
    path: str
    archive: bool = False

    @property
    def shown(self) -> str:
        """For the audit log."""
        at = f"@{self.snapshot}" if self.snapshot else ""
        return f"{self.dataset}{at}: {self.path or '/'}"


class CutOff(Exception):
    """An archive ended before it was complete. The connection has to break, or it would pass for a whole "
    "one."""


class OpenDownload(io.FileIO):
    """The open file. To close it makes room for the next download."""

    def __init__(self, descriptor: int, handed: Handed) -> None:
        super().__init__(descriptor, "rb")
        self.handed = handed
        self._descriptor = descriptor
        self._left: int | None = None
        self._end = bytes.fromhex(handed.end)
        self._held = b""  # of an archive: read, and perhaps its end
        self._holds_slot = True

    def fileno(self) -> int:
        """None for an archive: a server that sends by itself would not look at how it ends."""
        if self._end:
            raise io.UnsupportedOperation("An archive is read through this object.")
        return super().fileno()

    def seekable(self) -> bool:
        """An archive has no size before its end."""
        return not self._end and super().seekable()

    def limit(self, start: int, length: int) -> None:
        """Give no more than a part of it."""
        os.lseek(self._descriptor, start, os.SEEK_SET)
        self._left = length

    def read(self, size: int | None = -1) -> bytes:
        """As any file, within the part. Raises `CutOff`."""
        if self._end:
            return self._of_archive(_CHUNK if size is None or size < 0 else size)
        if self._left is not None:
            size = self._left if size is None or size < 0 else min(size, self._left)
        data = super().read(-1 if size is None else size) or b""
        if self._left is not None:
            self._left -= len(data)
        return data

    def _of_archive(self, size: int) -> bytes:
        """Some bytes of it, none at its end."""
        while len(self._held) <= len(self._end):
            data = super().read(_CHUNK)
            if not data and self._held != self._end:
                raise CutOff(f"{self.handed.name} ended before it was complete.")
            if not data:
                return b""
            self._held += data
        given = self._held[: min(size, len(self._held) - len(self._end))]
        self._held = self._held[len(given) :]
        return given

    def close(self) -> None:
        """Once and for all."""
        super().close()
        if self._holds_slot:
            self._holds_slot = False
            _slots.release()


def opened(wish: Wish, user: User) -> OpenDownload:
    """What was asked for, to be closed by the caller; noted in the audit log.

    Raises `Forbidden`, `Refused`, `TooMany`, `questions.NobodyAnswers`.
    """
    if not _slots.acquire(blocking=False):
        raise TooMany("Several downloads are running already. Try again when one of them has finished.")
    try:
        download = _open(wish, user)
    except BaseException:
        _slots.release()
        raise
    record(user.get_username(), "files.download", wish.shown, size_bytes=download.handed.size_bytes)
    return download


def _open(wish: Wish, user: User) -> OpenDownload:
    ticket = secrets.token_hex(16)
    data = {"ticket": ticket, **wish._asdict()}
    asked = questions.ask("files.open", data, user)
    if not asked.settled:
        asked = waiting.answer(asked, timeout_s=_TIMEOUT_S)
    if not asked.settled:
        raise Refused((fault("still-asking", "", "The machine is busy. Try again."),))
    questions.value("files.open", asked)
    downloads = cast("Downloads", import_string(settings.NASWEB_DOWNLOADS_FACTORY)())
    try:
        handed, descriptor = downloads.collect(ticket)
    except NotHanded as error:
        raise Refused((fault("not-handed-over", "path", str(error)),)) from None
    return OpenDownload(descriptor, handed)

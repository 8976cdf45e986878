"""The folder of a pool in which copies lie: found, written in one step, and thinned out.

A name holds who made a copy (`Manifest.origin`), its number and its time. Order goes by the number, as clocks
are set back. What another installation made is never thinned out: after an import it is what somebody may
want to restore.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from io import BytesIO
from typing import BinaryIO, NamedTuple

from host.backup import archive
from host.backup.archive import BadCopy
from host.backup.manifest import CopyFound, Manifest

KEPT = 10  # the newest of an installation, and beside them
KEPT_WEEKS = 8  # the newest of so many weeks before
MOST_LISTED = 500  # of a pool; one from elsewhere may hold any number
_NAME = re.compile(r"([0-9a-f]{16})-([0-9]{8})-([0-9]{8}T[0-9]{6}Z)\.nasweb")
_UNFINISHED = ".unfinished"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Name(NamedTuple):
    """A copy's name, read."""

    origin: str
    number: int
    made_at: str

    def __str__(self) -> str:
        return f"{self.origin}-{self.number:08}-{self.made_at}.nasweb"


def read_name(text: str) -> Name | None:
    """None for what is no copy."""
    found = _NAME.fullmatch(text)
    if found is None:
        return None
    name = Name(found[1], int(found[2]), found[3])
    try:
        _week(name)
    except ValueError:  # no such day
        return None
    return name


class Shelf:
    """An open folder. Whoever opened it closes it."""

    def __init__(self, folder: int) -> None:
        self._folder = folder

    def names(self) -> list[Name]:
        """All copies, the newest first: those of one installation by their number, and these by the last."""
        with os.scandir(self._folder) as entries:
            found = [name for entry in entries if (name := read_name(entry.name)) is not None]
        latest: dict[str, str] = {}
        for name in found:
            latest[name.origin] = max(name.made_at, latest.get(name.origin, ""))
        return sorted(found, key=lambda name: (latest[name.origin], name.origin, name.number), reverse=True)

    def found(self) -> Iterator[CopyFound]:
        """The newest copies with what their manifests say."""
        for name in self.names()[:MOST_LISTED]:
            try:
                with self.opened(name) as file:
                    size = os.fstat(file.fileno()).st_size
                    try:
                        yield CopyFound(name=str(name), size_bytes=size, manifest=archive.read_manifest(file))
                    except BadCopy as error:
                        yield CopyFound(name=str(name), size_bytes=size, why=str(error))
            except OSError as error:
                yield CopyFound(name=str(name), size_bytes=0, why=f"It cannot be opened: {error.strerror}.")

    @contextmanager
    def opened(self, name: Name) -> Iterator[BinaryIO]:
        """One copy for reading. Raises `OSError`, also for what is no regular file."""
        descriptor = os.open(str(name), _READ, dir_fd=self._folder)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(0, "It is no regular file")
            yield file

    def newest(self, origin: str) -> tuple[Name, Manifest] | None:
        """The newest copy of an installation that is whole; None where there is none."""
        for name in self.names():
            if name.origin == origin:
                with suppress(BadCopy, OSError), self.opened(name) as file:
                    return name, archive.unpack(file)[0]
                return None
        return None

    def write(self, data: bytes, manifest: Manifest) -> Name:
        """Put a copy there: all of it, or nothing (also when the power goes). Raises `OSError`."""
        number = 1 + max((one.number for one in self.names() if one.origin == manifest.origin), default=0)
        name = Name(manifest.origin, number, re.sub(r"[-:]", "", manifest.made_at))
        self._tidy()
        unfinished = f"{name}{_UNFINISHED}"
        descriptor = os.open(unfinished, _NEW, 0o600, dir_fd=self._folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            os.rename(unfinished, str(name), src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except OSError:
            with suppress(OSError):
                os.unlink(unfinished, dir_fd=self._folder)
            raise
        os.fsync(self._folder)
        return name

    def thin(self, origin: str) -> int:
        """Remove what is kept no longer of an installation's copies; how many stay."""
        own = [name for name in self.names() if name.origin == origin]
        keep = to_keep(own)
        for name in own:
            if name not in keep:
                os.unlink(str(name), dir_fd=self._folder)
        return len(keep)

    def _tidy(self) -> None:
        """What was left when the power went."""
        with os.scandir(self._folder) as entries:
            left = [entry.name for entry in entries if entry.name.endswith(_UNFINISHED)]
        for name in left:
            os.unlink(name, dir_fd=self._folder)


def to_keep(names: list[Name]) -> set[Name]:
    """Of the copies of one installation: the newest, and one a week of those before."""
    ordered = sorted(names, key=lambda name: name.number, reverse=True)
    weeks: dict[tuple[int, int], Name] = {}
    for name in ordered:
        weeks.setdefault(_week(name), name)
    return {*ordered[:KEPT], *list(weeks.values())[:KEPT_WEEKS]}


def _week(name: Name) -> tuple[int, int]:
    """The year and the week of ISO 8601. Raises `ValueError`."""
    year, week, _ = datetime.strptime(name.made_at, "%Y%m%dT%H%M%S%z").isocalendar()
    return year, week


def check(file: BinaryIO) -> bytes:
    """The whole file, if it is sound. Raises `BadCopy`."""
    data = file.read(archive.LONGEST_BYTES + 1)
    if len(data) > archive.LONGEST_BYTES:
        raise BadCopy(f"It is larger than {archive.LONGEST_BYTES >> 20} MiB.")
    archive.unpack(BytesIO(data))
    return data

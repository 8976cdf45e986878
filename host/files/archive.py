"""Writes a folder as a tar archive into a pipe, as it is read: nothing is kept in memory or on a disk.

What cannot be read is no reason to end: the archive goes on, and its last member lists what is missing.
"""

from __future__ import annotations

import io
import os
import stat
import tarfile
from typing import BinaryIO

from host.files.names import shown
from host.files.opening import Root, Unreachable, folder

_MOST_LISTED = 10_000


class _Failures:
    """What could not be read, and why; beyond a number it is only counted."""

    def __init__(self) -> None:
        self.count = 0
        self._lines: list[str] = []

    def note(self, path: str, error: Exception | str) -> None:
        self.count += 1
        if self.count <= _MOST_LISTED:
            why = (error.strerror if isinstance(error, OSError) else None) or error
            self._lines.append(f"{shown(os.fsencode(path))}: {why}\n")

    def text(self) -> str:
        more = self.count - len(self._lines)
        return (
            f"Could not be read, and is missing or incomplete in this archive: {self.count}\n\n"
            f"{''.join(self._lines)}{f'… and {more} more.' if more else ''}"
        )


class _Steady(io.RawIOBase):
    """A file that always has as many bytes as its header promised: zeros from where reading failed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.fault: OSError | str | None = None

    def read(self, size: int = -1) -> bytes:
        data = b""
        if self.fault is None:
            try:
                data = self._file.read(size)
            except OSError as error:
                self.fault = error
            else:
                self.fault = "It became shorter while it was read." if len(data) < size else None
        return data + bytes(size - len(data))


def write(root: Root, names: tuple[bytes, ...], out: BinaryIO) -> int:
    """The folder with all below it but other datasets, sockets and devices; how many entries.

    Raises `OSError` where `out` takes no more, or the folder itself cannot be read.
    """
    count = 0
    top = os.fsdecode(names[-1]) if names else "files"
    failures = _Failures()
    # PAX keeps names of any bytes and sizes of any length.
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT, bufsize=1 << 20) as archive:
        with folder(root, names):
            waiting: list[tuple[tuple[bytes, ...], str]] = [(names, top)]
        while waiting:
            inner, name = waiting.pop()
            try:
                with folder(root, inner) as descriptor:
                    status, found = os.fstat(descriptor), _entries(descriptor)
                    archive.addfile(_member(name, status, tarfile.DIRTYPE))
                    for entry in found:
                        count += 1
                        path = f"{name}/{os.fsdecode(entry)}"
                        if _add(archive, root, descriptor, entry, path, failures):
                            waiting.append(((*inner, entry), path))
            except (_Unreadable, Unreachable) as error:
                failures.note(name, error)
        if failures.count:
            _list(archive, f"{top} - what could not be read.txt", failures)
    return count


class _Unreadable(Exception):
    """The list of a folder could not be read."""


def _entries(descriptor: int) -> list[bytes]:
    try:
        with os.scandir(descriptor) as entries:
            return sorted(os.fsencode(entry.name) for entry in entries)
    except OSError as error:
        raise _Unreadable(error.strerror or str(error)) from None


def _list(archive: tarfile.TarFile, name: str, failures: _Failures) -> None:
    text = failures.text().encode()
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(text), 0o644
    archive.addfile(member, io.BytesIO(text))


def _add(
    archive: tarfile.TarFile, root: Root, descriptor: int, name: bytes, path: str, failures: _Failures
) -> bool:
    """Add one entry; true for a folder, whose turn comes later."""
    try:
        status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
        link = os.readlink(name, dir_fd=descriptor) if stat.S_ISLNK(status.st_mode) else b""
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
        regular = stat.S_ISREG(status.st_mode) and status.st_dev == root.device
        opened = os.open(name, flags, dir_fd=descriptor) if regular else -1
    except OSError as error:
        failures.note(path, error)
        return False
    if status.st_dev != root.device:
        return False
    if link:
        member = _member(path, status, tarfile.SYMTYPE)
        member.linkname = os.fsdecode(link)
        archive.addfile(member)
    elif regular:
        with os.fdopen(opened, "rb") as file:
            steady = _Steady(file)
            archive.addfile(_member(path, os.fstat(opened), tarfile.REGTYPE), steady)
        if steady.fault is not None:
            failures.note(path, steady.fault)
    return stat.S_ISDIR(status.st_mode)


def _member(path: str, status: os.stat_result, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(path)
    member.type = kind
    member.size = status.st_size if kind == tarfile.REGTYPE else 0
    member.mtime = int(status.st_mtime)
    member.mode = stat.S_IMODE(status.st_mode)
    member.uid, member.gid = status.st_uid, status.st_gid
    return member

"""Lets a file share its blocks with another one that has the same content: block cloning of OpenZFS.

Leases (fcntl(2), F_SETLEASE) hold both from before their bytes are compared until the blocks are shared.
Whoever opens one of them meanwhile has it at once, and nothing is shared.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

FICLONE = 0x40049409  # _IOW(0x94, 9, int) of linux/fs.h
_PIECE_BYTES = 1 << 20
_TRIES = 3
_CAPABILITIES = "security.capability"
_WHY = {
    errno.EINVAL: "It was written with another record size, or another encryption.",
    errno.EOPNOTSUPP: "This pool cannot clone blocks: its feature block_cloning is off.",
    errno.EXDEV: "It lies in another file system.",
    errno.EAGAIN: "It was written a moment ago. Try again later.",
    errno.EPERM: "It is protected from changes.",
}


class NotShared(Exception):
    """It stays as it is; the text says why."""


class Stopped(Exception):
    """Somebody asked for the end."""


def share(
    kept: int,
    other: int,
    asked_to_stop: Callable[[], bool],
    *,
    clone: Callable[[int, int], None] | None = None,
) -> int:
    """Let `other`, open for writing, have the blocks of `kept`; the bytes that it has. Its owner, rights and
    times stay. Raises `NotShared`, `Stopped`, `OSError`."""
    status = os.fstat(other)
    _check(os.fstat(kept), status, other)
    with _held(kept, fcntl.F_RDLCK), _held(other, fcntl.F_WRLCK):
        _compare(kept, other, asked_to_stop)
        os.fsync(kept)
        os.fsync(other)
        _check_leases(kept, other)
        (clone or _clone)(kept, other)
        os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    return status.st_size


def _check(kept: os.stat_result, other: os.stat_result, descriptor: int) -> None:
    if (kept.st_dev, kept.st_ino) == (other.st_dev, other.st_ino):
        raise NotShared("It is the same file under two names.")
    if kept.st_dev != other.st_dev:
        raise NotShared(_WHY[errno.EXDEV])
    if kept.st_size != other.st_size:
        raise NotShared("It has another size by now.")
    if other.st_mode & (stat.S_ISUID | stat.S_ISGID) or _has_capabilities(descriptor):
        raise NotShared("It is a program with rights of its own, which it would lose.")


def _has_capabilities(descriptor: int) -> bool:
    try:
        return bool(os.getxattr(descriptor, _CAPABILITIES))
    except OSError:
        return False


@contextmanager
def _held(descriptor: int, lease: int) -> Iterator[None]:
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, lease)
        # Nobody wants the signal that somebody waits: unheard it would end the process.
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, 0)
    except OSError as error:
        if error.errno == errno.EAGAIN:
            raise NotShared("Somebody has it open.") from None
        raise
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def _check_leases(kept: int, other: int) -> None:
    leases = fcntl.fcntl(kept, fcntl.F_GETLEASE), fcntl.fcntl(other, fcntl.F_GETLEASE)
    if leases != (fcntl.F_RDLCK, fcntl.F_WRLCK):  # one that somebody waits for says what it has to become
        raise NotShared("Somebody has just opened it.")


def _compare(kept: int, other: int, asked_to_stop: Callable[[], bool]) -> None:
    at = 0
    while piece := os.pread(kept, _PIECE_BYTES, at):
        if asked_to_stop():
            raise Stopped
        _check_leases(kept, other)
        if os.pread(other, len(piece), at) != piece:
            raise NotShared("It has another content by now.")
        at += len(piece)


def _clone(kept: int, other: int) -> None:
    for left in reversed(range(_TRIES)):
        try:
            fcntl.ioctl(other, FICLONE, kept)
        except OSError as error:
            if error.errno == errno.EAGAIN and left:
                os.sync()  # blocks that are not on the disks yet cannot be cloned
                continue
            why = _WHY.get(error.errno or 0)
            if why is None:
                raise
            raise NotShared(why) from None
        return

"""Mounts the dataset of copies where only this process sees it: in a mount namespace of its own.

So it is in nobody's way: no share, no file browser and no `zfs unload-key` ever meets it, and it is gone when
the process ends. Its mountpoint is `legacy`, so ZFS itself mounts it never.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from host.backup.manifest import Problem
from host.system.mounts import HARMLESS, RDONLY, leave_alone, mount, unmount

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Unreachable(Exception):
    """It cannot be mounted; `problem` is for programs, the text for people."""

    def __init__(self, problem: Problem, message: str) -> None:
        self.problem: Problem = problem
        super().__init__(message)


@contextmanager
def mounted(dataset: str, at: Path, *, writes: bool) -> Iterator[int]:
    """A descriptor of the dataset's own folder, which is root's alone. Raises `Unreachable`, `OSError`."""
    at.mkdir(mode=0o700, exist_ok=True)
    leave_alone()
    try:
        _mount_dataset(dataset, at, writes=writes)
    except OSError as error:
        raise _unreachable(dataset, error) from None
    descriptor = os.open(at, _FOLDER)
    try:
        if writes:
            os.fchmod(descriptor, 0o700)
        yield descriptor
    finally:
        os.close(descriptor)
        unmount(at)


def _mount_dataset(dataset: str, at: Path, *, writes: bool) -> None:
    try:
        # For writing even where it is only read: the kernel refuses to mount one file system in both ways at
        # once, and somebody may write meanwhile.
        mount(dataset.encode(), at, b"zfs", HARMLESS)
    except OSError as error:
        if writes or error.errno != errno.EROFS:
            raise
        mount(dataset.encode(), at, b"zfs", HARMLESS | RDONLY)


def _unreachable(dataset: str, error: OSError) -> Unreachable:
    match error.errno:
        case errno.EACCES:
            return Unreachable("locked", f"{dataset} is locked. Unlock the pool first.")
        case errno.ENOENT:
            return Unreachable("none", "There are no copies on this pool.")
        case errno.EROFS:
            return Unreachable("unreadable", "The pool is read-only.")
        case _:
            return Unreachable("unreadable", f"{dataset} cannot be mounted: {error.strerror}.")

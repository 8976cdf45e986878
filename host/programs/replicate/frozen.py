"""Files of snapshots, read where only this process sees them: mounted read-only in a namespace of its own."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from host.replication.hashes import Digest, FileDigest, Trouble, Unreadable
from host.system.mounts import HARMLESS, RDONLY, mount, unmount

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
WHOLE_BYTES = 64 << 20  # a larger file is compared in pieces
_PIECES, _PIECE_BYTES = 16, 1 << 20


@contextmanager
def frozen(snapshot: str, at: Path) -> Iterator[int]:
    """A descriptor of the snapshot's own folder, after `host.system.mounts.leave_alone`. Raises `OSError`."""
    at.mkdir(mode=0o700, exist_ok=True)
    mount(snapshot.encode(), at, b"zfs", HARMLESS | RDONLY)
    try:
        descriptor = os.open(at, _FOLDER)
        try:
            yield descriptor
        finally:
            os.close(descriptor)
    finally:
        unmount(at)


def files_below(root: int, most: int) -> Iterator[tuple[bytes, ...]]:
    """The regular files below an open folder, as names from it; of `most` entries at most. Never through a
    link, and never onto another device."""
    device, left = os.fstat(root).st_dev, most
    folders: list[tuple[bytes, ...]] = [()]
    while folders and left > 0:
        path = folders.pop()
        try:
            descriptor = _open(root, path, _FOLDER)
        except OSError:
            continue
        try:
            for name in os.listdir(descriptor):  # noqa: PTH208 - it is an open folder and no path
                left -= 1
                place = (*path, os.fsencode(name))
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                if status.st_dev != device:
                    continue
                if stat.S_ISREG(status.st_mode):
                    yield place
                elif stat.S_ISDIR(status.st_mode):
                    folders.append(place)
        finally:
            os.close(descriptor)


def trouble_of(error: OSError) -> Trouble:
    """Why a snapshot or a file cannot be read: ZFS denies permission to a dataset without its key."""
    return "locked" if error.errno in {errno.EACCES, errno.EPERM} else "unreachable"


def answered(
    root: int, path: tuple[bytes, ...], seed: int, asked_to_stop: Callable[[], bool] | None = None
) -> Digest:
    """`digest`, and a value for a file that cannot be read."""
    try:
        return digest(root, path, seed, asked_to_stop)
    except OSError as error:
        return Unreadable(said=error.strerror or "", trouble=trouble_of(error))


def digest(
    root: int, path: tuple[bytes, ...], seed: int, asked_to_stop: Callable[[], bool] | None = None
) -> FileDigest | None:
    """A file's size and hash; None where there is no such file. The hash is salted with `seed`, so that
    whoever answers must have the file now; of a large one it is over pieces that `seed` chooses, or with
    `asked_to_stop` over all of it, as far as that came. Raises `OSError` for one that cannot be read."""
    try:
        descriptor = _open(root, path, _FILE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        size = status.st_size
        return FileDigest(size_bytes=size, sha256=_hash(descriptor, size, seed, asked_to_stop))
    finally:
        os.close(descriptor)


def _hash(descriptor: int, size: int, seed: int, asked_to_stop: Callable[[], bool] | None) -> str:
    salt = seed.to_bytes(8, "big")
    found = hashlib.sha256(salt)
    if size <= WHOLE_BYTES or asked_to_stop is not None:
        stopped, offset = asked_to_stop or (lambda: False), 0
        while not stopped() and (piece := os.pread(descriptor, _PIECE_BYTES, offset)):
            found.update(piece)
            offset += len(piece)
        return found.hexdigest()
    for number in range(_PIECES):
        # By a hash, too: another version of Python may draw other numbers from the same seed.
        place = int.from_bytes(hashlib.sha256(salt + number.to_bytes(8, "big")).digest()[:8], "big")
        found.update(os.pread(descriptor, _PIECE_BYTES, place % size))
    return found.hexdigest()


def _open(root: int, path: tuple[bytes, ...], flags: int) -> int:
    """Name by name, so that no link leads elsewhere."""
    at = os.dup(root)
    for number, name in enumerate(path, 1):
        try:
            inner = os.open(name, flags if number == len(path) else _FOLDER, dir_fd=at)
        finally:
            os.close(at)
        at = inner
    return at

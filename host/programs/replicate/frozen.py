"""Files of snapshots, read where only this process sees them: mounted read-only in a namespace of its own."""

from __future__ import annotations

import hashlib
import os
import random
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def digest(root: int, path: tuple[bytes, ...], seed: int) -> tuple[int, str] | None:
    """A file's size and hash; None where there is no such file. Of a large one the hash is over pieces that
    `seed` chooses: the same for both sides. Raises `OSError` for one that cannot be read."""
    try:
        descriptor = _open(root, path, _FILE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        return status.st_size, _hash(descriptor, status.st_size, seed)
    finally:
        os.close(descriptor)


def _hash(descriptor: int, size: int, seed: int) -> str:
    found = hashlib.sha256()
    if size <= WHOLE_BYTES:
        offset = 0
        while piece := os.pread(descriptor, _PIECE_BYTES, offset):
            found.update(piece)
            offset += len(piece)
        return found.hexdigest()
    chance = random.Random(seed)  # noqa: S311 - no secret: it is the same for both sides
    for _ in range(_PIECES):
        found.update(os.pread(descriptor, _PIECE_BYTES, chance.randrange(size)))
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

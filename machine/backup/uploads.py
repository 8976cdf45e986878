"""Copies that somebody uploads to restore them: stored for an hour, and checked before they are used."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from host.backup import archive
from host.backup.archive import BadCopy
from host.backup.writing import open_file
from machine.backup.places import folders

LONGEST_BYTES = 32 << 20  # of a file that is sent; a copy of a busy console has a few
_KEPT_S = 3600.0
_MOST = 5


class TooLarge(ValueError):
    """More than a copy can have."""


def take_in(chunks: Iterable[bytes]) -> str:
    """Keep what is sent; its name, as a restore takes it. Raises `BadCopy`, `TooLarge`."""
    folder = folders().uploads
    folder.mkdir(mode=0o770, parents=True, exist_ok=True)
    sweep(leave=_MOST - 1)
    name = secrets.token_hex(16)
    descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640)
    try:
        with os.fdopen(descriptor, "wb") as file:
            left = LONGEST_BYTES
            for chunk in chunks:
                left -= len(chunk)
                if left < 0:
                    raise TooLarge(f"A copy has {LONGEST_BYTES >> 20} MiB at most.")
                file.write(chunk)
        with open_file(folder / name) as file:
            archive.unpack(file)
    except BaseException:
        (folder / name).unlink(missing_ok=True)
        raise
    return name


def sweep(*, leave: int = _MOST) -> None:
    """Remove what nobody restored in time, and all but the newest of too many. The clock asks for it too, as
    what was sent may hold passwords. Others may do the same at this moment."""
    now = time.time()
    found: list[tuple[float, Path]] = []
    with suppress(FileNotFoundError):
        for path in folders().uploads.iterdir():
            with suppress(OSError):
                found.append((path.stat().st_mtime, path))
    for index, (written, path) in enumerate(sorted(found, reverse=True)):
        if index >= leave or now - written > _KEPT_S:
            with suppress(OSError):
                path.unlink()


__all__ = ["BadCopy", "TooLarge", "sweep", "take_in"]

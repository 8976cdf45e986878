"""Mounts that only this process sees: in a mount namespace of its own, gone when it ends."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

RDONLY, NOSUID, NODEV, NOEXEC = 1, 2, 4, 8
HARMLESS = NOSUID | NODEV | NOEXEC
_REMOUNT, _BIND, _REC, _SLAVE = 32, 4096, 16384, 1 << 19
_libc = ctypes.CDLL(None, use_errno=True)


def leave_alone() -> None:
    """From here on what this process mounts is seen by nobody else; what others unmount goes here too.
    Raises `OSError`."""
    os.unshare(os.CLONE_NEWNS)
    mount(b"none", Path("/"), b"", _REC | _SLAVE)


def mount(source: bytes, at: Path, kind: bytes, flags: int) -> None:
    """mount(2). Raises `OSError`."""
    words = ctypes.c_char_p(source), ctypes.c_char_p(os.fsencode(at)), ctypes.c_char_p(kind)
    if _libc.mount(*words, ctypes.c_ulong(flags), None):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def show_at(descriptor: int, at: Path) -> None:
    """Let an open folder be at `at` as well, to write to, whatever its name leads to by now. Raises
    `OSError`."""
    at.mkdir(mode=0o700, parents=True, exist_ok=True)
    mount(f"/proc/self/fd/{descriptor}".encode(), at, b"", _BIND)
    mount(b"none", at, b"", _REMOUNT | _BIND | HARMLESS)


def unmount(at: Path) -> None:
    """umount2(2); what is not mounted is no error."""
    _libc.umount2(ctypes.c_char_p(os.fsencode(at)), ctypes.c_int(0))

"""Puts a finished copy in its place in one step (renameat2(2)), so that nobody ever sees half of it."""

from __future__ import annotations

import ctypes
import os

_NOREPLACE, _EXCHANGE = 1, 2
_libc = ctypes.CDLL(None, use_errno=True)


def _renameat2(folder: int, old: bytes, new: bytes, flags: int) -> None:
    paths = ctypes.c_char_p(old), ctypes.c_char_p(new)
    if _libc.renameat2(ctypes.c_int(folder), paths[0], ctypes.c_int(folder), paths[1], ctypes.c_uint(flags)):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def place(folder: int, old: bytes, new: bytes) -> None:
    """`old` becomes `new`, in the same open folder. Raises `FileExistsError` where there is something."""
    _renameat2(folder, old, new, _NOREPLACE)


def exchange(folder: int, old: bytes, new: bytes) -> None:
    """`old` and `new` change names. Raises `OSError`; then nothing has changed."""
    _renameat2(folder, old, new, _EXCHANGE)

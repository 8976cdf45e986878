"""The last day of every series, a value each ten seconds, in a file that lies in memory.

Each series has a row of slots that are used round and round. Beside every value stands the number of the ten
seconds it was measured in: what is left of an earlier round, or of a clock that was wrong, is not taken for
what belongs to the time that is asked for. Rows are the numbers of the series in the store; the file is
sparse, and takes memory only for what was written.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from django.conf import settings

from jobs.series.values import SLOT_S, SLOTS

_HEADER = 4096
_PLANE = SLOTS * 4  # first the numbers of the slots, then their values
_ROW = 2 * _PLANE
_MARK = b"nasweb recent 1 "
_SOME = 1024  # slots that are kept or dropped together: a page of each plane
_changing = Lock()  # the worker alone writes, by several threads


def write(store: str, points: Iterable[tuple[int, int, float]]) -> None:
    """Keep values by the number of their series and their time. `store` is the id of the file of names: what
    was kept beside another one is dropped."""
    with _changing, _opened(store, os.O_RDWR | os.O_CREAT) as file:
        if file is None:
            return
        for number, time, value in points:
            tick = time // SLOT_S
            at = _HEADER + number * _ROW + tick % SLOTS * 4
            os.pwrite(file, array("f", (value,)).tobytes(), at + _PLANE)
            os.pwrite(file, array("I", (tick,)).tobytes(), at)  # last: it says that the value is there


def compact(store: str, edge: int) -> None:
    """Give back the memory of what is older than `edge`, in seconds since 1970: of datasets that rest again,
    and of the other slots of what is measured once a day."""
    first, path = edge // SLOT_S, Path(settings.NASWEB_RECENT)
    new = path.with_name(f"{path.name}.new")
    with _changing, _opened(store, os.O_RDWR) as file:
        if file is None:
            return
        copy = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o640)
        try:
            os.pwrite(copy, _MARK + store.encode(), 0)
            for at in _rows_with_data(file):
                _copy_row(file, copy, at, first)
        finally:
            os.close(copy)
        new.replace(path)


def _rows_with_data(file: int) -> Iterator[int]:
    """Where the rows begin of which something was written."""
    at = _HEADER
    with suppress(OSError):  # ENXIO: no more data
        while True:
            at = max(at, os.lseek(file, at, os.SEEK_DATA))
            at -= (at - _HEADER) % _ROW
            yield at
            at += _ROW


def _copy_row(file: int, copy: int, at: int, first: int) -> None:
    for slot in range(0, SLOTS, _SOME):
        count = min(_SOME, SLOTS - slot)
        ticks = array("I")
        ticks.frombytes(_whole(os.pread(file, count * 4, at + slot * 4)))
        if max(ticks, default=0) >= first:
            for plane in (_PLANE, 0):
                place = at + plane + slot * 4
                os.pwrite(copy, os.pread(file, count * 4, place), place)


def read(store: str, numbers: Iterable[int], since: int, until: int) -> dict[int, list[tuple[int, float]]]:
    """Times (of the slots' beginnings) and values between two times, both included, by the number of the
    series; those with none are left out."""
    first, last = max(since // SLOT_S, until // SLOT_S - SLOTS + 1, 0), until // SLOT_S
    if last < first:
        return {}
    with _opened(store, os.O_RDONLY) as file:
        if file is None:
            return {}
        found = ((number, _row(file, _HEADER + number * _ROW, first, last)) for number in numbers)
        return {number: points for number, points in found if points}


def _row(file: int, at: int, first: int, last: int) -> list[tuple[int, float]]:
    points: list[tuple[int, float]] = []
    while first <= last:  # at most twice: the slots begin anew at the end of the row
        slot = first % SLOTS
        count = min(last - first + 1, SLOTS - slot)
        ticks, values = array("I"), array("f")
        ticks.frombytes(_whole(os.pread(file, count * 4, at + slot * 4)))
        values.frombytes(_whole(os.pread(file, count * 4, at + _PLANE + slot * 4)))
        points += [
            (tick * SLOT_S, value)
            for expected, tick, value in zip(range(first, first + count), ticks, values, strict=False)
            if tick == expected
        ]
        first += count
    return points


def _whole(raw: bytes) -> bytes:
    """Without the part of a number at the file's end."""
    return raw[: len(raw) - len(raw) % 4]


@contextmanager
def _opened(store: str, how: int) -> Iterator[int | None]:
    """The file; None where it is not there, or belongs to another store and is only read."""
    path, mark = Path(settings.NASWEB_RECENT), _MARK + store.encode()
    file: int | None = None
    with suppress(FileNotFoundError):
        file = os.open(path, how | os.O_CLOEXEC | os.O_NOFOLLOW, 0o640)
    if file is None:
        yield None
        return
    try:
        if os.pread(file, len(mark), 0) == mark:
            yield file
        elif how & os.O_RDWR:
            os.ftruncate(file, 0)
            os.pwrite(file, mark, 0)
            yield file
        else:
            yield None
    finally:
        os.close(file)

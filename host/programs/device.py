"""Opens a disk, and makes sure that it is the one that was asked for."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from host.base import Host
from host.inventory import Disk
from host.probe.identity import disk_behind


class Unfit(Exception):
    """This is not the disk that was asked for, or not one for this work; the text says why."""


@contextmanager
def opened(link: str, flags: int) -> Iterator[int]:
    """A descriptor of the disk, past the page cache. Raises `Unfit`."""
    try:
        descriptor = os.open(link, flags | os.O_DIRECT | os.O_CLOEXEC)
    except OSError as error:
        busy = "Something uses it: a file system, an array, a pool or another program"
        why = busy if error.errno == errno.EBUSY else error.strerror
        raise Unfit(f"{link} cannot be opened. {why}.") from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def confirm(host: Host, link: str, serial: str) -> Disk:
    """The disk that `link` leads to, if it alone has that serial. Raises `Unfit` and `HostError`."""
    disk = disk_behind(host, link)
    if disk is None:
        raise Unfit(f"{link} leads to no disk.")
    if disk.serial != serial:
        raise Unfit(f"{link} leads to the disk with serial {disk.serial}, not to {serial}.")
    if disk.twins:
        raise Unfit(f"Two disks here say that they are {serial}: nobody can tell which one is meant.")
    return disk


def confirm_open(descriptor: int, path: str) -> None:
    """Make sure that the descriptor is of the disk at `path`: while it is open, nothing else gets that name.

    Raises `Unfit`.
    """
    try:
        same = Path(path).stat().st_rdev == os.fstat(descriptor).st_rdev
    except FileNotFoundError:
        same = False
    if not same:
        raise Unfit(f"The disk at {path} changed in this moment.")


def size_of(descriptor: int) -> int:
    """Bytes, of a disk or a file."""
    return os.lseek(descriptor, 0, os.SEEK_END)

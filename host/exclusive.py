"""Refuses a command that would write to a disk, partition or array that anything else holds.

Plans refuse such disks too. This is asked by root right before the command is started: a holder may have come
since, and the caller may be compromised. Not all programs check that themselves: sgdisk writes to a disk in
use, and a loop device does not hold its disk exclusively, so that not even an exclusive open fails.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from host.commands.base import Command
from host.holders import held_words, holder_words

_UNNAMED = "in use by a file system, an array, a pool, swap or another program until that lets it go"


def refusal(command: Command, *, sysfs: Path = Path("/sys")) -> str | None:
    """Why `command` must not be started, where something holds what it would write to."""
    for link in command.exclusive_disks():
        if (number := device_number(link)) is None:
            continue  # the program itself says that there is none
        node = (sysfs / "dev/block" / number).resolve()
        names = {
            words
            for one in _related(node, shared=command.shares_disks)
            for words in (*_holders(one), *_loops(one, sysfs))
        }
        if names:
            return refused(link, held_words(sorted(names)))
        if not command.shares_disks and not opens(link):
            return refused(link)
    return None


def refused(link: str, why: str = _UNNAMED) -> str:
    """The line that says so."""
    return f"{link}: Device or resource busy: {why}. Nothing was written.\n"


def device_number(path: str) -> str | None:
    """The block device that a path leads to, as `8:0`."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISBLK(found.st_mode):
        return None
    return f"{os.major(found.st_rdev)}:{os.minor(found.st_rdev)}"


def opens(path: str) -> bool:
    """Whether an exclusive open succeeds. Only EBUSY counts: the program itself reports other errors."""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_EXCL | os.O_CLOEXEC))
    except OSError as error:
        return error.errno != errno.EBUSY
    return True


def _related(node: Path, *, shared: bool) -> tuple[Path, ...]:
    """A partition with its disk, a disk with its partitions: who holds one of them stands in the way. Where
    they are shared, the partitions of a disk are its own's."""
    if (node / "partition").exists():
        return (node, node.parent)
    return (node,) if shared else (node, *(child.parent for child in node.glob("*/partition")))


def _holders(node: Path) -> list[str]:
    return [holder_words(*_kind_and_name(one.resolve())) for one in (node / "holders").glob("*")]


def _kind_and_name(holder: Path) -> tuple[str, str]:
    """Kind and name of a holder, as lsblk prints them."""
    if (holder / "md").exists():
        return "raid", holder.name
    return _text(holder / "dm/uuid").partition("-")[0].lower(), _text(holder / "dm/name") or holder.name


def _loops(node: Path, sysfs: Path) -> list[str]:
    """No holder in sysfs: a loop device keeps a file open, which may be a device."""
    number = _text(node / "dev")
    return [
        holder_words("loop", file.parents[1].name)
        for file in (sysfs / "block").glob("loop*/loop/backing_file")
        if number and device_number(_text(file)) == number
    ]


def _text(file: Path) -> str:
    """A line of sysfs; empty for a file that is not there, or is removed meanwhile."""
    try:
        return file.read_text().removesuffix("\n")
    except OSError:
        return ""

"""Opens what lies in a dataset or in one of its snapshots, and nothing else.

A path is followed name by name, each opened within the folder before it and never through a link
(openat(2), O_NOFOLLOW). `..` is no name (`host.files.names`), and each step has to stay on the device that
the kernel gave this very dataset or snapshot. So neither links, nor other file systems mounted below, nor
somebody who moves folders meanwhile lead out: what is renamed stays on its device.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from host.files.answers import ProblemCode
from host.mountpoints import holds_system

_HOLD = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC  # nothing is read, no device is touched, no FIFO waited for
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_OCTAL = re.compile(rb"\\([0-7]{3})")
MOUNTS = Path("/proc/self/mountinfo")


class Unreachable(Exception):
    """It cannot be opened; `code` is for programs, the text for people."""

    def __init__(self, code: ProblemCode, message: str) -> None:
        self.code = code
        super().__init__(message)


class Root(NamedTuple):
    """The own folder of a dataset or snapshot, and the device that all that is in it lies on."""

    descriptor: int
    device: int


class Mount(NamedTuple):
    """A mounted ZFS file system, from proc_pid_mountinfo(5)."""

    device: int
    path: bytes
    source: str


def mounts(text: bytes) -> tuple[Mount, ...]:
    """Every mount of the root of a ZFS file system or snapshot, in the order of mounting."""
    found = []
    for line in text.splitlines():
        fields = line.split(b" ")
        kind = fields.index(b"-") + 1
        if fields[kind] == b"zfs" and fields[3] == b"/":
            major, _, minor = fields[2].partition(b":")
            source = _unescaped(fields[kind + 1]).decode("utf-8", "replace")
            found.append(Mount(os.makedev(int(major), int(minor)), _unescaped(fields[4]), source))
    return tuple(found)


def _unescaped(field: bytes) -> bytes:
    return _OCTAL.sub(lambda match: bytes([int(match[1], 8)]), field)


@contextmanager
def dataset_root(dataset: str, tag: str | None, *, table: Path = MOUNTS) -> Iterator[Root]:
    """The live state of a file system, or its snapshot `tag`. Raises `Unreachable`."""
    with _mounted(dataset, table) as live:
        if tag is None:
            yield live
            return
        with _snapshot(live, dataset, tag, table) as frozen:
            yield frozen


@contextmanager
def _mounted(dataset: str, table: Path) -> Iterator[Root]:
    known = [mount for mount in mounts(table.read_bytes()) if mount.source == dataset]
    if not known:
        raise Unreachable("not-mounted", f"{dataset} is not mounted, so its files cannot be reached.")
    if any(holds_system(os.fsdecode(mount.path)) for mount in known):
        # /var on a pool, or / itself: passwords, keys, and what root runs.
        raise Unreachable("unreadable", f"{dataset} holds the system's own files: they are not opened here.")
    for mount in known:
        try:
            descriptor = os.open(mount.path, _FOLDER)
        except OSError:
            continue
        try:
            # Something else may be mounted over it since, or its folder be another one by now.
            if os.fstat(descriptor).st_dev == mount.device:
                yield Root(descriptor, mount.device)
                return
        finally:
            os.close(descriptor)
    raise Unreachable("hidden", f"Another file system is mounted over {dataset} and hides its files.")


@contextmanager
def _snapshot(live: Root, dataset: str, tag: str, table: Path) -> Iterator[Root]:
    name = f"{dataset}@{tag}"
    descriptors: list[int] = []
    try:
        _descend(live.descriptor, (".zfs", "snapshot", tag), descriptors, name)
        device = os.fstat(descriptors[-1]).st_dev
        if device not in {mount.device for mount in mounts(table.read_bytes()) if mount.source == name}:
            raise Unreachable(
                "not-mounted", f"The system did not mount {name}, so its files cannot be reached."
            )
        yield Root(descriptors[-1], device)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _descend(at: int, folders: tuple[str, ...], opened: list[int], name: str) -> None:
    """Opening the last of them lets the kernel mount the snapshot."""
    try:
        for inner in folders:
            at = os.open(inner, _FOLDER, dir_fd=at)
            opened.append(at)
    except FileNotFoundError:
        raise Unreachable("no-snapshot", f"There is no snapshot {name}, or ZFS does not show it.") from None
    except OSError as error:
        raise Unreachable("unreadable", f"{name} cannot be opened: {error.strerror}.") from None


@contextmanager
def held(root: Root, names: tuple[bytes, ...]) -> Iterator[int]:
    """A descriptor of what lies at a path, opened for nothing but to know it (O_PATH). Raises
    `Unreachable`.
    """
    descriptor = os.dup(root.descriptor)
    try:
        for depth, name in enumerate(names):
            try:
                inner = os.open(name, _HOLD, dir_fd=descriptor)
            except OSError as error:
                raise _unreachable(error) from None
            os.close(descriptor)
            descriptor = inner
            status = os.fstat(descriptor)
            if status.st_dev != root.device:
                raise Unreachable(
                    "outside", "Another dataset is mounted there: open that dataset's own files."
                )
            if depth < len(names) - 1 and not stat.S_ISDIR(status.st_mode):
                if stat.S_ISLNK(status.st_mode):
                    raise Unreachable(
                        "outside", "The path leads through a link, and links are not followed here."
                    )
                raise Unreachable("not-found", "There is nothing at this path.")
        yield descriptor
    finally:
        with suppress(OSError):
            os.close(descriptor)


@contextmanager
def folder(root: Root, names: tuple[bytes, ...]) -> Iterator[int]:
    """A folder, opened for reading and as a place to open others in. Raises `Unreachable`."""
    with held(root, names) as descriptor:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise Unreachable("not-a-folder", "This is no folder.")
        opened = _reopened(descriptor, _READ | os.O_DIRECTORY)
        try:
            yield opened
        finally:
            os.close(opened)


@contextmanager
def file(root: Root, names: tuple[bytes, ...], access: int = os.O_RDONLY) -> Iterator[int]:
    """A regular file, opened for reading or with that access. Anything else is never opened. Raises
    `Unreachable`.
    """
    with held(root, names) as descriptor:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreachable("not-a-file", "This is no regular file, so it has no content to be read.")
        opened = _reopened(descriptor, _READ | access)
        try:
            yield opened
        finally:
            os.close(opened)


def _reopened(descriptor: int, flags: int) -> int:
    """What is held, and certainly that: its name may lead elsewhere by now."""
    try:
        return os.open(f"/proc/self/fd/{descriptor}", flags)
    except OSError as error:
        raise _unreachable(error) from None


def _unreachable(error: OSError) -> Unreachable:
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return Unreachable("not-found", "There is nothing at this path.")
    if error.errno == errno.ENAMETOOLONG:
        return Unreachable("not-found", "A name in this path is longer than a name can be.")
    return Unreachable("unreadable", f"It cannot be read: {error.strerror}.")

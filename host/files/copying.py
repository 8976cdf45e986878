"""Copies files and folders between open folders, with owners, rights, times, extended attributes and links.

The kernel copies the content (copy_file_range(2)): within one pool ZFS then only notes that two files share
their blocks, which takes no time and no space. What is a hole in the original stays one.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from host.files import acl
from host.files.names import plain, shown
from host.files.rights import NO_LIST, path_of

_CHUNK = 64 << 20  # between two checks whether to stop
_NO_CLONE = {errno.EXDEV, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS}
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_KNOWN = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_SOURCE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC


class Stopped(Exception):
    """Someone asked for the end."""


class Uncopied(Exception):
    """It cannot be copied; the text names the file and says why."""


DEEPEST = 250  # folders within each other; each takes two descriptors, of which a process has a thousand
_DEEP = f"more than {DEEPEST} folders lie within each other there"
TOO_DEEP = f"{_DEEP}. Restore one that lies deeper."
Identity = tuple[int, int]  # the device and the number of a file or folder, which has many names in its life


class Within(NamedTuple):
    """A name in an open folder, and the device that it has to be on."""

    folder: int
    name: bytes
    device: int


class Copier:
    """Copies trees, counting as it goes. `after` is called as data moves, and may raise `Stopped`.

    `made` is what the first call made, if it came to that: by then somebody may have given its name to
    something else.
    """

    def __init__(self, after: Callable[[int, int], None] = lambda files, size: None) -> None:
        self._after = after
        self._top: int | None = None  # the outermost folder that is made; others find no way into it yet
        self._path: tuple[bytes, ...] = ()  # from there to the folder that is being filled
        self._links: dict[int, tuple[tuple[bytes, ...], bytes]] = {}  # inode → where its first name went
        self.files = self.size_bytes = 0
        self.made: Identity | None = None
        self._depth = 0

    def copy(self, source: Within, target: Within) -> None:
        """Make `target`, which must not be there. Raises `Uncopied`, `Stopped`."""
        if self._depth > DEEPEST:
            raise Uncopied(f"{plain(shown(source.name))}: {TOO_DEEP}")
        self._depth += 1
        try:
            self._copy(source, target)
        except OSError as error:
            raise Uncopied(f"{plain(shown(source.name))}: {words_of(error)}") from error
        finally:
            self._depth -= 1

    def _is_made(self, status: os.stat_result) -> None:
        """Remember what was made first, which is in a folder that others may write to. Raises `Uncopied`."""
        if status.st_uid != os.geteuid():
            raise Uncopied("Its folder changed in this moment.")
        if self.made is None:
            self.made = identity(status)

    def _copy(self, source: Within, target: Within) -> None:
        status = _status(source)
        if status.st_dev != source.device:
            raise Uncopied(f"{plain(shown(source.name))}: another dataset is mounted there.")
        kind = stat.S_IFMT(status.st_mode)
        if kind == stat.S_IFDIR:
            self._folder(source, target, status)
        elif kind == stat.S_IFREG:
            if not self._linked(status, target):
                self._file(source, target, status)
            self.files += 1
            self._after(self.files, self.size_bytes)
        elif kind == stat.S_IFLNK:
            os.symlink(os.readlink(source.name, dir_fd=source.folder), target.name, dir_fd=target.folder)
            self._is_made(_status(target))
            os.chown(target.name, status.st_uid, status.st_gid, dir_fd=target.folder, follow_symlinks=False)
            _set_times(target, status)
        elif kind == stat.S_IFIFO:
            self._fifo(source, target, status)
        # Sockets belong to a running program, and devices to the machine: neither comes back by a copy.

    def _folder(self, source: Within, target: Within, status: os.stat_result) -> None:
        # Root's alone until all is in it: nobody can put a link where something is yet to be written.
        os.mkdir(target.name, 0o700, dir_fd=target.folder)
        outer = os.open(target.name, _FOLDER, dir_fd=target.folder)
        try:
            self._is_made(os.fstat(outer))
            inner = os.open(source.name, _FOLDER, dir_fd=source.folder)
            try:
                with os.scandir(inner) as entries:
                    names = [os.fsencode(entry.name) for entry in entries]
                with self._filling(target.name, outer):
                    for name in names:
                        self.copy(Within(inner, name, source.device), Within(outer, name, target.device))
                _keep(path_of(inner), path_of(outer), status)
            finally:
                os.close(inner)
        finally:
            os.close(outer)
        _set_times(target, status)

    @contextmanager
    def _filling(self, name: bytes, folder: int) -> Iterator[None]:
        top, path = self._top, self._path
        self._top, self._path = (folder, ()) if top is None else (top, (*path, name))
        try:
            yield
        finally:
            self._top, self._path = top, path

    def _linked(self, status: os.stat_result, target: Within) -> bool:
        """Whether another name of the same file was copied before, so that this one is a link to it."""
        if status.st_nlink < 2 or self._top is None:
            return False
        known = self._links.get(status.st_ino)
        if known is None:
            self._links[status.st_ino] = self._path, target.name
            return False
        path, first = known
        with _opened(self._top, path) as folder:
            os.link(first, target.name, src_dir_fd=folder, dst_dir_fd=target.folder, follow_symlinks=False)
        return True

    def _file(self, source: Within, target: Within, status: os.stat_result) -> None:
        inner = os.open(source.name, _SOURCE, dir_fd=source.folder)
        try:
            if not stat.S_ISREG(os.fstat(inner).st_mode):
                raise Uncopied(f"{plain(shown(source.name))}: it changed in this moment.")
            outer = os.open(target.name, _NEW, 0o600, dir_fd=target.folder)
            try:
                self._is_made(os.fstat(outer))
                self._content(inner, outer, status.st_size)
                _keep(path_of(inner), path_of(outer), status)
            finally:
                os.close(outer)
        finally:
            os.close(inner)
        _set_times(target, status)

    def _fifo(self, source: Within, target: Within, status: os.stat_result) -> None:
        os.mkfifo(target.name, 0o600, dir_fd=target.folder)
        # To open it for reading would let a program go on that waits for a reader.
        inner = os.open(source.name, _KNOWN, dir_fd=source.folder)
        try:
            outer = os.open(target.name, _KNOWN, dir_fd=target.folder)
            try:
                self._is_made(os.fstat(outer))
                _keep(path_of(inner), path_of(outer), status)
            finally:
                os.close(outer)
        finally:
            os.close(inner)

    def _content(self, inner: int, outer: int, size: int) -> None:
        os.ftruncate(outer, size)
        at = 0
        while at < size:
            try:
                at = os.lseek(inner, at, os.SEEK_DATA)
            except OSError as error:
                if error.errno == errno.ENXIO:  # a hole until the end
                    return
                raise
            end = min(os.lseek(inner, at, os.SEEK_HOLE), size)
            while at < end:
                moved = _move(inner, outer, at, min(_CHUNK, end - at))
                if not moved:
                    raise OSError(errno.EIO, "It ended before its size")
                at += moved
                self.size_bytes += moved
                self._after(self.files, self.size_bytes)


@contextmanager
def _opened(top: int, path: tuple[bytes, ...]) -> Iterator[int]:
    """A folder below `top`, opened again: to keep all of them open would take more than a process may."""
    folder = os.open(b".", _FOLDER, dir_fd=top)
    try:
        for name in path:
            inner = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _move(inner: int, outer: int, at: int, count: int) -> int:
    try:
        return os.copy_file_range(inner, outer, count, at, at)
    except OSError as error:
        if error.errno not in _NO_CLONE:
            raise
    data = os.pread(inner, min(count, 1 << 20), at)
    return os.pwrite(outer, data, at)


def _keep(inner: str, outer: str, status: os.stat_result) -> None:
    """Owner first: changing it takes rights away. The permissions last: until then it is root's alone."""
    os.chown(outer, status.st_uid, status.st_gid)
    remove_lists(outer)
    for name in os.listxattr(inner):
        # Where the target does not take an attribute, the file is worth more than the attribute.
        with suppress(OSError):
            os.setxattr(outer, name, os.getxattr(inner, name))
    Path(outer).chmod(stat.S_IMODE(status.st_mode))


def remove_lists(made: str) -> None:
    """What the folder above gave to a new file or folder lets more people in than the original did."""
    for name in (acl.ACCESS, acl.DEFAULT):
        try:
            os.removexattr(made, name)
        except OSError as error:
            if error.errno not in NO_LIST:
                raise


def _set_times(target: Within, status: os.stat_result) -> None:
    times = status.st_atime_ns, status.st_mtime_ns
    os.utime(target.name, ns=times, dir_fd=target.folder, follow_symlinks=False)


def words_of(error: OSError) -> str:
    """What went wrong, for people, and what helps."""
    match error.errno:
        case errno.ENOSPC:
            return "the pool has no space left. Free some, or restore less at a time."
        case errno.EDQUOT:
            return "the quota is reached. Raise the dataset's or the owner's quota, or free space within it."
        case errno.EROFS:
            return "the dataset is read-only."
        case errno.EEXIST:
            return "something of that name has come meanwhile."
        case errno.EIO:
            return "ZFS cannot read or write it: no good copy is left. Check the pool's status."
        case _:
            return f"{error.strerror}."


def _status(one: Within) -> os.stat_result:
    return os.stat(one.name, dir_fd=one.folder, follow_symlinks=False)


def identity(status: os.stat_result) -> Identity:
    """Which file or folder it is, whatever its name."""
    return status.st_dev, status.st_ino


def is_still(one: Within, what: Identity) -> bool:
    """Whether the name is still that of `what`."""
    with suppress(FileNotFoundError):
        return identity(_status(one)) == what
    return False


def remove_own(target: Within, what: Identity | None) -> None:
    """Remove what is still called so, and nothing else. Raises `OSError`."""
    if what is not None and is_still(target, what):
        remove(target)


def remove(target: Within, *, depth: int = 0) -> None:
    """Remove a file, or a folder with all in it, but nothing that is mounted there. Raises `OSError`."""
    if depth > DEEPEST:
        raise OSError(errno.ENAMETOOLONG, _DEEP)
    status = _status(target)
    if status.st_dev != target.device:
        raise OSError(errno.EBUSY, "Another dataset is mounted there")
    if not stat.S_ISDIR(status.st_mode):
        os.unlink(target.name, dir_fd=target.folder)
        return
    inner = os.open(target.name, _FOLDER, dir_fd=target.folder)
    try:
        if identity(os.fstat(inner)) != identity(status):
            raise OSError(errno.EAGAIN, "It changed in this moment")
        with os.scandir(inner) as entries:
            names = [os.fsencode(entry.name) for entry in entries]
        for name in names:
            remove(Within(inner, name, target.device), depth=depth + 1)
    finally:
        os.close(inner)
    os.rmdir(target.name, dir_fd=target.folder)

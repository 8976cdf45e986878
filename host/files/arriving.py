"""Makes folders and files in a dataset, with the rights of whoever runs this: it has to be the person.

A file that arrives has a name of its own in the folder that it is for (`.nasweb-upload-…`), so what is
there of it counts against the same quota, and gets its name in one step once it is whole. Every name is
looked up within an open folder, as `host.files.opening` does it, and no link is followed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from host.files import renaming
from host.files.copying import words_of
from host.files.names import LONGEST_NAME, UNFINISHED, BadPath, components, new_name, plain, shown
from host.files.opening import Root, Unreachable, held
from host.files.receiving import (
    Abandon,
    Append,
    Begin,
    Declined,
    Existing,
    Finish,
    MakeFolder,
    Message,
    Received,
    See,
    UploadRefused,
)

# As Samba makes them. A folder's default list decides instead where there is one, and the mode bounds it.
_FOLDER_MODE, _FILE_MODE = 0o775, 0o664
_PRIVATE_FOLDER_MODE, _PRIVATE_FILE_MODE = 0o700, 0o600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_HOLD = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST_COPIES = 1000


def carry_out(root: Root, message: Message, data: bytes = b"") -> Received:
    """Do what a message says in the dataset with that root. Raises `UploadRefused`."""
    try:
        with _folder(root, message.folder) as folder:
            match message:
                case MakeFolder():
                    return _make_folder(folder, message)
                case Begin():
                    return _begin(folder, root, message)
                case Append():
                    return _append(folder, root, message, data)
                case See():
                    with _unfinished(folder, root, message.upload) as file:
                        return Received(offset=os.fstat(file).st_size)
                case Finish():
                    return _finish(folder, root, message)
                case Abandon():
                    return _abandon(folder, message)
    except BadPath as error:
        raise _no("bad-name", "name", str(error)) from None
    except OSError as error:
        raise _not_written(error) from None


@contextmanager
def _folder(root: Root, path: str) -> Iterator[int]:
    """A folder as a place to make things in; it need not be one that can be listed."""
    try:
        names = components(path)
    except BadPath as error:
        raise _no("bad-path", "folder", str(error)) from None
    try:
        with held(root, names) as descriptor:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise _no("not-a-folder", "folder", "This is not a folder.")
            yield descriptor
    except Unreachable as error:
        raise _no(error.code, "folder", str(error)) from None


def _make_folder(folder: int, message: MakeFolder) -> Received:
    name = new_name(message.folder, message.name)
    try:
        os.mkdir(name, _PRIVATE_FOLDER_MODE if message.private else _FOLDER_MODE, dir_fd=folder)
    except FileExistsError:
        raise _taken(name) from None
    _settle(folder)
    return Received(name=shown(name))


def _begin(folder: int, root: Root, message: Begin) -> Received:
    name = new_name(message.folder, message.name)
    _check_target(folder, root, name, message.existing)
    space = os.fstatvfs(folder)
    free = space.f_bavail * space.f_frsize
    if message.size_bytes > free:
        words = f"It has {message.size_bytes} bytes, but only {free} are free. Free up space first."
        raise _no("no-space", "size_bytes", words)
    mode = _PRIVATE_FILE_MODE if message.private else _FILE_MODE
    try:
        os.close(os.open(_name_of(message.upload), _NEW, mode, dir_fd=folder))
    except FileExistsError:  # begun a moment ago, and the answer was lost
        with _unfinished(folder, root, message.upload) as file:
            return Received(offset=os.fstat(file).st_size)
    return Received()


def _append(folder: int, root: Root, message: Append, data: bytes) -> Received:
    if len(data) != message.length or hashlib.sha256(data).hexdigest() != message.sha256:
        raise _no("damaged", "sha256", "The checksum does not match. Send these bytes again.")
    with _unfinished(folder, root, message.upload, os.O_WRONLY) as file:
        size = os.fstat(file).st_size
        if message.offset != size:
            raise _no("wrong-offset", "offset", f"{size} bytes were received. Continue at offset {size}.")
        if message.offset + message.length > message.size_bytes:
            raise _no("too-large", "offset", f"This is more than the announced {message.size_bytes} bytes.")
        try:
            _write(file, data, message.offset)
        except OSError:
            with suppress(OSError):
                os.ftruncate(file, message.offset)  # what half of a message left would be taken for whole
            raise
        return Received(offset=message.offset + message.length)


def _write(file: int, data: bytes, offset: int) -> None:
    rest = memoryview(data)
    while rest:
        count = os.pwrite(file, rest, offset)
        rest, offset = rest[count:], offset + count


def _finish(folder: int, root: Root, message: Finish) -> Received:
    name = new_name(message.folder, message.name)
    with _unfinished(folder, root, message.upload, os.O_WRONLY) as file:
        size = os.fstat(file).st_size
        if size != message.size_bytes:
            words = f"{size} of {message.size_bytes} bytes were received. Send the rest first."
            raise _no("incomplete", "size_bytes", words)
        os.fsync(file)
        _check_target(folder, root, name, message.existing)
        name = _place(folder, _name_of(message.upload), name, message.existing)
    _settle(folder)
    return Received(offset=size, name=shown(name))


def _abandon(folder: int, message: Abandon) -> Received:
    with suppress(FileNotFoundError):
        os.unlink(_name_of(message.upload), dir_fd=folder)
    return Received()


def _check_target(folder: int, root: Root, name: bytes, existing: Existing) -> None:
    """Raises `UploadRefused` where there is something that stays."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    if existing == "refuse":
        raise _taken(name)
    if existing == "replace" and (not stat.S_ISREG(status.st_mode) or status.st_dev != root.device):
        words = f"“{plain(shown(name))}” is not a file, so it cannot be replaced. Choose another name."
        raise _no("not-replaceable", "name", words)


def _place(folder: int, unfinished: bytes, name: bytes, existing: Existing) -> bytes:
    """Give it its name; the one that it has then."""
    if existing == "replace":
        os.rename(unfinished, name, src_dir_fd=folder, dst_dir_fd=folder)
        return name
    for candidate in _candidates(name) if existing == "rename" else iter((name,)):
        try:
            renaming.place(folder, unfinished, candidate)
        except FileExistsError:
            continue
        return candidate
    raise _taken(name)


def _candidates(name: bytes) -> Iterator[bytes]:
    """`a.txt`, `a (2).txt`, `a (3).txt`…"""
    yield name
    stem, dot, ending = name.decode().rpartition(".")
    if not stem or len(ending) > 16:
        stem, dot, ending = name.decode(), "", ""
    for number in range(2, _MOST_COPIES):
        added = f" ({number}){dot}{ending}".encode()
        kept = stem.encode()[: LONGEST_NAME - len(added)].decode("utf-8", "ignore")
        yield kept.encode() + added


@contextmanager
def _unfinished(folder: int, root: Root, upload: str, flags: int = os.O_RDONLY) -> Iterator[int]:
    """The file that grows: a regular one, of this very person, on this very dataset."""
    try:
        descriptor = os.open(_name_of(upload), _HOLD, dir_fd=folder)
    except FileNotFoundError:
        raise _no("gone", "upload", "The data received so far is gone. Start the upload again.") from None
    try:
        status = os.fstat(descriptor)
        ours = status.st_dev == root.device and status.st_uid == os.geteuid()
        if not (ours and stat.S_ISREG(status.st_mode)):
            raise _no("gone", "upload", "The unfinished file was replaced. Start the upload again.")
        file = os.open(f"/proc/self/fd/{descriptor}", flags | os.O_CLOEXEC)  # certainly what was looked at
    finally:
        os.close(descriptor)
    try:
        yield file
    finally:
        os.close(file)


def _name_of(upload: str) -> bytes:
    return UNFINISHED + upload.encode()


def _settle(folder: int) -> None:
    """What was renamed is still so after a power cut. (A folder that cannot be listed cannot be synced.)"""
    with suppress(OSError):
        descriptor = os.open(f"/proc/self/fd/{folder}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _taken(name: bytes) -> UploadRefused:
    return _no("exists", "name", f"“{plain(shown(name))}” already exists.")


def _not_written(error: OSError) -> UploadRefused:
    if error.errno in {errno.EACCES, errno.EPERM}:
        return _no("not-allowed", "folder", "This NAS user has no permission to write to this folder.")
    if error.errno == errno.ENOSPC:
        return _no("no-space", "folder", "The pool is full. Free up some space, then continue.")
    words = words_of(error)
    return _no("not-written", "folder", words[:1].upper() + words[1:])


def _no(code: str, field: str, message: str) -> UploadRefused:
    return UploadRefused(Declined(code=code, field=field, message=message))

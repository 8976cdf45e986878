"""Writes a folder as a tar archive into a pipe, as it is read: nothing is kept in memory or on a disk."""

from __future__ import annotations

import os
import stat
import tarfile
from typing import BinaryIO

from host.files.opening import Root, folder


def write(root: Root, names: tuple[bytes, ...], out: BinaryIO) -> int:
    """The folder with all below it but other datasets, sockets and devices; how many entries. Raises
    `OSError`.
    """
    count = 0
    top = os.fsdecode(names[-1]) if names else "files"
    # PAX keeps names of any bytes and sizes of any length.
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT, bufsize=1 << 20) as archive:
        waiting: list[tuple[tuple[bytes, ...], str]] = [(names, top)]
        while waiting:
            inner, name = waiting.pop()
            with folder(root, inner) as descriptor:
                archive.addfile(_member(name, os.fstat(descriptor), tarfile.DIRTYPE))
                with os.scandir(descriptor) as entries:
                    found = sorted(os.fsencode(entry.name) for entry in entries)
                for entry in found:
                    count += 1
                    path = f"{name}/{os.fsdecode(entry)}"
                    if _add(archive, root, descriptor, entry, path):
                        waiting.append(((*inner, entry), path))
    return count


def _add(archive: tarfile.TarFile, root: Root, descriptor: int, name: bytes, path: str) -> bool:
    """Add one entry; true for a folder, whose turn comes later."""
    status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
    if status.st_dev != root.device:
        return False
    kind = stat.S_IFMT(status.st_mode)
    if kind == stat.S_IFLNK:
        member = _member(path, status, tarfile.SYMTYPE)
        member.linkname = os.fsdecode(os.readlink(name, dir_fd=descriptor))
        archive.addfile(member)
    elif kind == stat.S_IFREG:
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, dir_fd=descriptor), "rb") as file:
            member = _member(path, os.fstat(file.fileno()), tarfile.REGTYPE)
            archive.addfile(member, file)
    return kind == stat.S_IFDIR


def _member(path: str, status: os.stat_result, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(path)
    member.type = kind
    member.size = status.st_size if kind == tarfile.REGTYPE else 0
    member.mtime = int(status.st_mtime)
    member.mode = stat.S_IMODE(status.st_mode)
    member.uid, member.gid = status.st_uid, status.st_gid
    return member

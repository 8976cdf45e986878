"""Describes files: an entry for each, a folder a page at a time, a path in many snapshots, a tree's size."""

from __future__ import annotations

import grp
import heapq
import os
import pwd
import stat
from collections.abc import Callable, Iterator
from functools import cache

from host.files.answers import FileEntry, FileKind, FolderPage, Measure
from host.files.names import plain, readable, shown
from host.files.opening import Root, Unreachable, folder, held

MOST_MEASURED = 200_000  # entries
Place = tuple[int, str, str]


@cache
def _owner(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


@cache
def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def _kind(status: os.stat_result, device: int) -> FileKind:
    if status.st_dev != device:
        return "mount"
    kinds: dict[int, FileKind] = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
    return kinds.get(stat.S_IFMT(status.st_mode), "other")


def describe(name: bytes, status: os.stat_result, device: int, leads_to: bytes | None = None) -> FileEntry:
    """The entry of a file with that status; `device` is its dataset's."""
    return FileEntry(
        name=shown(name),
        kind=_kind(status, device),
        size_bytes=0 if stat.S_ISDIR(status.st_mode) else status.st_size,
        modified_ns=status.st_mtime_ns,
        changed_ns=status.st_ctime_ns,
        inode=status.st_ino,
        mode=stat.S_IMODE(status.st_mode),
        uid=status.st_uid,
        gid=status.st_gid,
        owner=_owner(status.st_uid),
        group=_group(status.st_gid),
        leads_to=None if leads_to is None else shown(leads_to),
    )


def _entry_in(descriptor: int, name: bytes, device: int) -> FileEntry | None:
    """An entry of an open folder; None where it was removed meanwhile."""
    try:
        status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
        link = os.readlink(name, dir_fd=descriptor) if stat.S_ISLNK(status.st_mode) else None
    except FileNotFoundError:
        return None
    return describe(name, status, device, link)


def entry_at(root: Root, names: tuple[bytes, ...]) -> FileEntry:
    """What lies at a path. Raises `Unreachable`."""
    if not names:
        return describe(b"", os.fstat(root.descriptor), root.device)
    with held(root, names[:-1]) as parent:
        found = _entry_in(parent, names[-1], root.device)
    if found is None:
        raise Unreachable("not-found", "There is nothing at this path.")
    return found


def page(
    root: Root, names: tuple[bytes, ...], *, after: str | None, limit: int, contains: str = ""
) -> FolderPage:
    """Up to `limit` entries of a folder behind `after`, those whose name contains that text in any case.

    All names are read, as the file system has no order of its own; only the entries of one page are read.
    Raises `Unreachable`.
    """
    start = place(after)
    wanted, count = contains.casefold(), 0

    def places(descriptor: int) -> Iterator[Place]:
        nonlocal count
        with os.scandir(descriptor) as entries:
            for entry in entries:
                name = shown(os.fsencode(entry.name))
                here = order(name, is_folder=entry.is_dir(follow_symlinks=False))
                if has(name, wanted):
                    count += 1
                    if start is None or here > start:
                        yield here

    with folder(root, names) as descriptor:
        chosen = heapq.nsmallest(limit + 1, places(descriptor))
        found = [_entry_in(descriptor, readable(name), root.device) for _, _, name in chosen[:limit]]
    following = cursor(chosen[limit - 1]) if len(chosen) > limit else None
    return FolderPage(entries=tuple(entry for entry in found if entry), count=count, following=following)


def has(name: str, wanted: str) -> bool:
    """Whether a name has that part, as people read it or as it is written here; `wanted` is casefolded."""
    return wanted in plain(name).casefold() or wanted in name.casefold()


def order(name: str, *, is_folder: bool) -> Place:
    """Where an entry comes: folders first, then by name in any case."""
    return 0 if is_folder else 1, name.casefold(), name


def cursor(at: Place) -> str:
    """What leads to the entries behind that place."""
    return f"{'/' if at[0] == 0 else '.'}{at[2]}"


def place(after: str | None) -> Place | None:
    """Where such a cursor leads to."""
    return None if not after else order(after[1:], is_folder=after[0] == "/")


def measure(root: Root, names: tuple[bytes, ...], *, in_time: Callable[[], bool] = lambda: True) -> Measure:
    """What lies at a path with all below it, as far as there is time. Raises `Unreachable`."""
    entry = entry_at(root, names)
    counts = {"file": 0, "folder": 0, "link": 0, "other": 0, "mount": 0}
    counts[entry.kind] += 1
    size, waiting, complete = entry.size_bytes if entry.kind == "file" else 0, [], True
    if entry.kind == "folder":
        waiting.append(names)
    while waiting:
        if sum(counts.values()) > MOST_MEASURED or not in_time():
            complete = False
            break
        inner = waiting.pop()
        with folder(root, inner) as descriptor, os.scandir(descriptor) as entries:
            for found in entries:
                status = found.stat(follow_symlinks=False)
                kind = _kind(status, root.device)
                counts[kind] += 1
                size += status.st_size if kind == "file" else 0
                if kind == "folder":
                    waiting.append((*inner, os.fsencode(found.name)))
    return Measure(
        entry=entry,
        files=counts["file"],
        folders=counts["folder"],
        others=counts["link"] + counts["other"],
        size_bytes=size,
        mounts=counts["mount"],
        complete=complete,
    )

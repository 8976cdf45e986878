"""What findmnt and lsblk print, and which of it belongs to the old disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from host import typed


class _Node(msgspec.Struct, frozen=True, kw_only=True):
    children: tuple[_Node, ...] = ()
    # findmnt
    target: str | None = None
    source: str | None = None
    fstype: str | None = None
    # lsblk
    path: str | None = None
    type: str | None = None
    pkname: str | None = None


class _Listing(msgspec.Struct, frozen=True):
    filesystems: tuple[_Node, ...] = ()
    blockdevices: tuple[_Node, ...] = ()


class Mount(NamedTuple):
    """A file system where it is mounted."""

    target: str
    source: str
    kind: str


class Device(NamedTuple):
    """A block device; `parent` is the disk of a partition."""

    path: str
    kind: str
    parent: str


_listings = msgspec.json.Decoder(_Listing)


def parse_findmnt(text: str) -> tuple[Mount, ...]:
    """Of `--json`; findmnt prints nothing where it finds nothing. Raises `msgspec.DecodeError`."""
    return tuple(
        Mount(one.target or "", one.source or "", one.fstype or "")
        for one in _flat(_listing(text).filesystems)
    )


def parse_lsblk(text: str) -> tuple[Device, ...]:
    """The same of lsblk."""
    return tuple(
        Device(one.path or "", one.type or "", one.pkname or "") for one in _flat(_listing(text).blockdevices)
    )


def _listing(text: str) -> _Listing:
    return typed.decode_by(_listings, text) if text.strip() else _Listing()


def _flat(nodes: Iterable[_Node]) -> Iterator[_Node]:
    for node in nodes:
        yield node
        yield from _flat(node.children)


def of_disk(device: str, parts: frozenset[str], resolve: Callable[[str], str | None]) -> bool:
    """Whether `device`, by any of its names, is a disk or a part of it, as lsblk lists them."""
    return bool(device) and resolve(device) in parts


def mounted_from(
    mounts: Iterable[Mount], parts: frozenset[str], resolve: Callable[[str], str | None]
) -> tuple[Mount, ...]:
    """The file systems of a disk besides the root, the outer ones first.

    Not an ESP, since each half has its own, and not a folder shown at a second place (`/dev/sda2[/folder]`).
    """
    return tuple(
        one
        for one in sorted(mounts)
        if one.target != "/"
        and one.kind != "vfat"
        and "[" not in one.source
        and of_disk(one.source, parts, resolve)
    )

"""What a scan of a dataset's files found, and how far it has come."""

from __future__ import annotations

from typing import Literal

import msgspec

Phase = Literal["scanning", "comparing", "waiting", "done"]
Verdict = Literal["done", "empty", "failed", "stopped"]
Kind = Literal[
    "archives", "code", "databases", "disk images", "documents", "music", "pictures", "videos", "others"
]


class FolderUse(msgspec.Struct, frozen=True, kw_only=True):
    """A folder at the top or right below one, with all in it. `path` as `host.files.names` writes it."""

    path: str
    files: int
    bytes: int  # that it takes on disk


class KindUse(msgspec.Struct, frozen=True, kw_only=True):
    """Files of one kind, by the endings of their names."""

    kind: Kind
    files: int
    bytes: int  # that they take on disk


class SizeClass(msgspec.Struct, frozen=True, kw_only=True):
    """Files of at most `up_to_bytes`, and more than the class before."""

    up_to_bytes: int
    files: int
    bytes: int  # that their contents have


class RecordUse(msgspec.Struct, frozen=True, kw_only=True):
    """What the files would be in records of one size: a file of more than one record has whole records only,
    one of less is a single record of its size, in whole sectors of 512 bytes.
    """

    record_bytes: int
    blocks: int
    padding_bytes: int  # zeros behind the ends of files, which any compression removes


class Duplicate(msgspec.Struct, frozen=True, kw_only=True):
    """Files with the same content, by a hash. `paths` are some of them, as `host.files.names` writes them."""

    size_bytes: int  # of each
    files: int
    paths: tuple[str, ...]


class Scanned(msgspec.Struct, frozen=True, kw_only=True):
    """How far a scan has come, or its outcome. `verdict` is None while it goes on.

    A file with several names is counted once, at the first that was found.
    """

    run: str
    dataset: str
    snapshot: str  # its tag
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    verdict: Verdict | None = None
    words: str = ""
    phase: Phase = "scanning"
    left_s: int | None = None  # of comparing; of scanning it is not known
    whole: bool = True  # else as many files as there was time for
    unread: int = 0  # folders, and files to compare, that could not be read
    files: int = 0
    folders: int = 0
    others: int = 0  # links, sockets and the like
    size_bytes: int = 0  # that the contents have
    disk_bytes: int = 0  # that they take
    largest_folders: tuple[FolderUse, ...] = ()  # largest first
    kinds: tuple[KindUse, ...] = ()  # largest first
    sizes: tuple[SizeClass, ...] = ()  # smallest first
    records: tuple[RecordUse, ...] = ()  # smallest first
    compares: bool = False  # large files of one size are compared
    compared_bytes: int = 0  # that were read for it
    duplicates: tuple[Duplicate, ...] = ()  # those that take most first
    duplicate_files: int = 0  # that one of each would be enough of
    duplicate_bytes: int = 0  # that these have

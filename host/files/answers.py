"""Files in a dataset or snapshot. Names and paths are text as `host.files.names` writes them."""

from __future__ import annotations

from typing import Literal

import msgspec

ProblemCode = Literal[
    "not-mounted", "hidden", "no-snapshot", "not-found", "not-a-folder", "not-a-file", "outside",
    "unreadable", "too-large", "binary",
]  # fmt: skip
FileKind = Literal["file", "folder", "link", "mount", "other"]


class FileEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What lies under a name. `mount` is where another file system begins; times in ns since 1970, UTC."""

    name: str
    kind: FileKind
    size_bytes: int
    modified_ns: int
    changed_ns: int  # of the inode: content, name, owner or rights
    inode: int
    mode: int  # permission bits, such as 0o644
    uid: int
    gid: int
    owner: str  # the account's name, or its number
    group: str
    leads_to: str | None = None  # of a link

    @property
    def content(self) -> tuple[str, int, int, str | None]:
        """Equal for two states whose content is the same by kind, size and time."""
        return self.kind, self.size_bytes, self.modified_ns, self.leads_to

    @property
    def mark(self) -> tuple[object, ...]:
        """Equal only where nothing was written, renamed or given other rights in between."""
        return *self.content, self.changed_ns, self.inode


class FolderPage(msgspec.Struct, frozen=True, kw_only=True, tag="folder"):
    """Some entries of a folder, folders first, then by name. `following` leads to those behind them."""

    entries: tuple[FileEntry, ...]
    count: int  # of all entries, or of those that match
    following: str | None = None


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """What lay at a path in one snapshot, or in the live state (`tag` None). Without entry: nothing."""

    tag: str | None
    entry: FileEntry | None = None
    problem: ProblemCode | None = None  # why it could not be read


class Sightings(msgspec.Struct, frozen=True, kw_only=True, tag="sightings"):
    """One path in several snapshots, in the order asked. `unseen`: those for which there was no time."""

    seen: tuple[Sighting, ...]
    unseen: tuple[str, ...] = ()


class Measure(msgspec.Struct, frozen=True, kw_only=True, tag="measure"):
    """What lies at a path, with all below it. `complete` is false where the count was cut short."""

    entry: FileEntry
    files: int
    folders: int
    others: int  # links, sockets, devices
    size_bytes: int
    mounts: int  # places below it where another dataset is mounted
    complete: bool = True
    target: FileEntry | None = None  # what lies now where it would be put, if anything
    target_size_bytes: int = 0
    target_files: int = 0
    target_mounts: int = 0
    folder_exists: bool = True  # that it would be put into
    last_kept: int = 0  # the largest number among its safety snapshots


class TextDiff(msgspec.Struct, frozen=True, kw_only=True, tag="diff"):
    """Two versions of a text, as unified diff; no lines where they are equal."""

    lines: tuple[str, ...]
    cut: bool = False  # more differs than is shown


class FolderRights(msgspec.Struct, frozen=True, kw_only=True, tag="rights"):
    """Who may do what with a folder: lists as `host.files.acl` writes them.

    `default` is what new files and folders in it begin with; None: the permission bits of who makes them.
    """

    owner: int
    group: int
    access: str
    default: str | None = None


class FileProblem(msgspec.Struct, frozen=True, kw_only=True, tag="problem"):
    """Why there is no answer."""

    code: ProblemCode
    message: str


class Unset(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder whose rights could not be set, and why."""

    path: str
    why: str


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """How far rights have come through all that lies in a folder. `verdict` is None while it goes on."""

    run: str  # its id
    dataset: str
    path: str  # of the folder, from the dataset's own
    access: str  # the list that is set
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    verdict: Literal["done", "failed", "stopped"] | None = None
    words: str = ""
    files: int = 0  # whose rights are set
    folders: int = 0
    skipped: int = 0  # links, sockets, devices, and places where another dataset is mounted
    unset: int = 0  # that refused
    first_unset: tuple[Unset, ...] = ()


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """How far a restore has come. `verdict` is None while it goes on."""

    restore: str  # its id
    dataset: str
    source: str  # path in the snapshot
    target: str
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    verdict: Literal["restored", "failed", "stopped"] | None = None
    words: str = ""
    files: int = 0  # copied so far
    size_bytes: int = 0
    total_files: int = 0
    total_bytes: int = 0

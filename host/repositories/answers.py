"""What our programs report of repositories: runs, snapshots, folders."""

from __future__ import annotations

from typing import Literal

import msgspec

Action = Literal["backup", "check", "restore"]
Verdict = Literal["good", "incomplete", "failed", "stopped"]
Code = Literal[
    "", "unreachable", "not-found", "locked", "wrong-password", "full", "damaged", "unreadable",
    "not-thinned",
    "no-folder", "name-taken", "stopped", "cut-off", "host-key", "certificate", "no-disk",
    "exists", "other",
]  # fmt: skip


class SavedDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset that lies in the repository as it was at `made_at` (ISO 8601, UTC)."""

    dataset: str
    snapshot: str  # restic's id
    made_at: str


class RunReport(msgspec.Struct, frozen=True, kw_only=True):
    """How far a backup, a check or a restore has come, or how it ended. Times are ISO 8601, UTC."""

    run: str
    action: Action
    started_at: str
    updated_at: str
    finished_at: str | None = None
    phase: str = ""  # in words: what is done now
    files: int = 0
    total_files: int = 0
    size_bytes: int = 0
    total_bytes: int = 0
    bytes_per_s: int | None = None
    remaining_s: int | None = None
    new_bytes: int = 0  # that were added to the repository
    saved: tuple[SavedDataset, ...] = ()
    skipped: tuple[str, ...] = ()  # files that could not be read, or brought back: the first of them
    skipped_count: int = 0
    verdict: Verdict | None = None
    code: Code = ""
    words: str = ""


class RepositoryFault(msgspec.Struct, frozen=True, kw_only=True, tag="fault"):
    """Why a repository cannot be read."""

    code: Code
    message: str


class RepositorySnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """One snapshot of restic. `dataset` and `backup` are known of those that this console made."""

    id: str
    made_at: str  # ISO 8601, UTC
    host: str
    paths: tuple[str, ...]
    tags: tuple[str, ...]
    dataset: str | None = None
    backup: str | None = None
    size_bytes: int | None = None


class RepositorySnapshots(msgspec.Struct, frozen=True, kw_only=True, tag="snapshots"):
    """The newest of them, newest first; `total` is of all."""

    results: tuple[RepositorySnapshot, ...]
    total: int


class StoredEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What lies in a folder of a snapshot. `path` is what a restore takes; None where no name can be read."""

    name: str
    kind: Literal["file", "folder", "link", "other"]
    path: str | None
    size_bytes: int = 0
    modified_at: str | None = None


class StoredFolder(msgspec.Struct, frozen=True, kw_only=True, tag="folder"):
    """Entries of a folder, folders first, then by name; `cut` where there are more than are listed."""

    results: tuple[StoredEntry, ...]
    cut: bool = False


class ServerKey(msgspec.Struct, frozen=True, kw_only=True):
    """A public key that a server shows, and what people compare: its fingerprint."""

    key: str
    fingerprint: str


class ServerKeys(msgspec.Struct, frozen=True, kw_only=True, tag="keys"):
    """Those of an SSH server, best first."""

    results: tuple[ServerKey, ...]


Answer = RepositoryFault | RepositorySnapshots | StoredFolder | ServerKeys

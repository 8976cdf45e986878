"""What is asked of a paired Nasweb when replicas are proven: the sizes and hashes of files of a snapshot."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.base import Command, SnapshotName

MOST_FILES = 50
MOST_PATH_BYTES = 4096  # of one file
MOST_PATHS_BYTES = 32 << 10  # of all: as base64 in one word of a command, which may have 128 KiB
_LONGEST_NAME_BYTES = 255
Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]


class FileToHash(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A regular file by its path from the snapshot's own folder, as bytes (base64 in JSON)."""

    path: Annotated[bytes, Meta(min_length=1, max_length=MOST_PATH_BYTES)]
    seed: Seed  # of the hash, so that it cannot have been made before (`host.programs.replicate.frozen`)

    def __post_init__(self) -> None:
        for name in self.names:
            if name in {b"", b".", b".."} or b"\0" in name or len(name) > _LONGEST_NAME_BYTES:
                raise ValueError("No path of a file from its dataset's folder")

    @property
    def names(self) -> tuple[bytes, ...]:
        """One after the other, from the snapshot's own folder."""
        return tuple(self.path.split(b"/"))


class HashFiles(Command, frozen=True, kw_only=True):
    """The sizes and hashes of files of a snapshot, in that order: a `host.replication.hashes.HashedFiles`.

    Without files it says whether the snapshot can be read. No words of a shell lead to it: the program for
    paired machines asks a service of root's (`host.programs.peer_files`), as its own account cannot mount.
    """

    reads = True
    timeout_s = 330.0  # the service ends by itself before that
    most_bytes = 1 << 16
    snapshot: SnapshotName
    files: Annotated[tuple[FileToHash, ...], Meta(max_length=MOST_FILES)] = ()

"""What is done to files without another program."""

from __future__ import annotations

import os
from pathlib import Path


class Disk:
    """Each of these is one step that is done or not when the power goes, or a sync. Raises `OSError`."""

    def make_folder(self, path: Path) -> None:
        """With the folders above it; it may exist."""
        path.mkdir(parents=True, exist_ok=True)

    def write(self, path: Path, content: bytes = b"") -> None:
        """Not in one step: whatever must be whole is written beside its place, and renamed."""
        path.write_bytes(content)

    def append(self, path: Path, content: bytes) -> None:
        """At the end of a file."""
        with path.open("ab") as file:
            file.write(content)

    def rename(self, old: Path, new: Path) -> None:
        """In one step, over a file of that name."""
        old.rename(new)

    def remove(self, *paths: Path) -> None:
        """Delete files, where they exist."""
        for path in paths:
            path.unlink(missing_ok=True)

    def sync_file(self, path: Path) -> None:
        """Let what was written to it be on the disk."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def sync(self) -> None:
        """Let everything be on its disk, whichever file system it is on."""
        os.sync()

"""How programs that copy a system end; they are root already, and the helper takes none of it."""

from __future__ import annotations

from host.commands.base import Command


class SyncFileSystem(Command, frozen=True, kw_only=True):
    """Let all of a folder's file system be on its disk. Other file systems are not waited for."""

    timeout_s = 4 * 3600.0  # a slow stick after a copy of gigabytes
    folder: str

    def argv(self) -> tuple[str, ...]:
        return ("sync", "-f", self.folder)

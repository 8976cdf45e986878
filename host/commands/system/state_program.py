"""What the program that moves /var and /home runs (`host.programs.moved_state`); it is root already.

The root helper takes none of these.
"""

from __future__ import annotations

from host.commands.base import Command

# During a start systemd ends the program sooner: after 90 seconds, or 4 hours where it copies
# (nasweb-state.service, nasweb-state-move.service). A mount may have a log to replay.
_AS_LONG_AS_A_START_S = 4 * 3600.0
_FIRST_COPY_S = 7 * 86400.0  # made while the machine works: nobody waits for it


class ImportedPools(Command, frozen=True, kw_only=True):
    """Each imported pool's number, health, whether it is read-only, and name; tab-separated."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "list", "-H", "-o", "guid,health,readonly,name")


class FindDataset(Command, frozen=True, kw_only=True):
    """The name of a dataset. Fails where it does not exist."""

    reads = True
    name: str

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "list", "-H", "-o", "name", self.name)


class MountDataset(Command, frozen=True, kw_only=True):
    """Mount a file system whose mountpoint is `legacy`."""

    timeout_s = _AS_LONG_AS_A_START_S
    name: str
    folder: str

    def argv(self) -> tuple[str, ...]:
        return ("mount", "-t", "zfs", self.name, self.folder)


class BindFolder(Command, frozen=True, kw_only=True):
    """Let a folder be seen at another place, too, without what is mounted in it.

    `private`: nothing that is mounted in one of them later is seen in the other.
    """

    timeout_s = _AS_LONG_AS_A_START_S
    source: str
    folder: str
    private: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("mount", "--bind", *(("--make-private",) if self.private else ()), self.source, self.folder)


class Unmount(Command, frozen=True, kw_only=True):
    """Unmount a folder; `lazy`: although it is in use."""

    timeout_s = _AS_LONG_AS_A_START_S
    folder: str
    lazy: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("umount", *(("--lazy",) if self.lazy else ()), self.folder)


class Mirror(Command, frozen=True, kw_only=True):
    """Copy what is in a folder to another one. Status 24: files vanished meanwhile.

    `delete` what the source does not have; `checksum`: compare byte by byte what has not got a new time;
    `link_dest`: what is the same in that folder becomes a link to it; `leave_out` folders of the source.
    """

    timeout_s = _FIRST_COPY_S
    source: str
    target: str
    delete: bool = False
    checksum: bool = False
    link_dest: str | None = None
    leave_out: tuple[str, ...] = ()

    def argv(self) -> tuple[str, ...]:
        flags = {"--delete": self.delete, "--checksum": self.checksum}
        return (
            "rsync", "--archive", "--hard-links", "--acls", "--xattrs", "--sparse", "--numeric-ids",
            "--one-file-system", "--modify-window=-1", *(flag for flag, given in flags.items() if given),
            *(() if self.link_dest is None else (f"--link-dest={self.link_dest}",)),
            *(f"--exclude=/{folder}" for folder in self.leave_out),
            f"{self.source}/", f"{self.target}/",
        )  # fmt: skip


class ExchangeFolders(Command, frozen=True, kw_only=True):
    """Let two folders change places in one step."""

    one: str
    other: str

    def argv(self) -> tuple[str, ...]:
        return ("mv", "--exchange", "-T", self.one, self.other)


class RemoveFolders(Command, frozen=True, kw_only=True):
    """Delete folders with all they hold, and nothing that is mounted in them."""

    timeout_s = _AS_LONG_AS_A_START_S
    folders: tuple[str, ...]

    def argv(self) -> tuple[str, ...]:
        return ("rm", "-rf", "--one-file-system", *self.folders)

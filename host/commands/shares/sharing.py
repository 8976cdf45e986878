"""Writes the files that Samba, the NFS server and avahi read, and has them read again.

A file is first staged beside its place and checked there. Then it takes the place of the one before, which is
kept until the services have answered: `jobs.plan.Step.undo` puts it back. A rename is atomic, so nobody ever
reads half a file.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, FolderPath, SharesCommand
from host.commands.starting import AS_GIVEN
from host.contents import sharing
from host.inventory.shares import SharingFile, SharingService
from host.lines import lines

PATHS: dict[SharingFile, str] = {
    "samba": "/etc/samba/nasweb.conf",
    "exports": "/etc/exports.d/nasweb.exports",
    "nfs": "/etc/nfs.conf.d/nasweb.conf",
    "avahi": "/etc/avahi/services/nasweb.service",
}
SMB_CONF = "/etc/samba/smb.conf"  # Debian's, which includes ours in its last line
EXPORT_TABLE = "/var/lib/nfs/etab"  # what the NFS server exports now
SERVICES: tuple[SharingService, ...] = ("smbd", "nfs-server", "wsdd2", "avahi-daemon")
_SOME_OR_ALL_INACTIVE = (0, 1, 3, 4)
_OCTAL = re.compile(r"[0-3][0-7]{2}")

FileText = Annotated[str, Meta(pattern=r"\A[^\x00]*\Z", max_length=1 << 20)]
# What a name of a share is held to in the file (host.contents.smb_names is stricter, and says why).
ShareName = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f\[\]%\"/\\]+\Z", max_length=80)]

ClientName = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9.-]+\Z", max_length=254)]


class SharingFiles(Command, frozen=True, kw_only=True):
    """Every line of our files, of Debian's smb.conf and of the table of exports, behind its path and NUL.

    grep ends with 1 where all are empty and with 2 where one is missing: neither is a fault.
    """

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        how = ("--no-messages", "--text", "--null", "--with-filename", "--regexp=")
        return ("grep", *how, *PATHS.values(), SMB_CONF, EXPORT_TABLE)


class SharingServices(Command, frozen=True, kw_only=True):
    """The state of each of `SERVICES`, a word a line in their order."""

    reads = True
    good_exits = _SOME_OR_ALL_INACTIVE

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "is-active", *SERVICES)


class StageFile(SharesCommand, frozen=True, kw_only=True):
    """Write what shall be in a file beside it."""

    file: SharingFile
    text: FileText

    def __post_init__(self) -> None:
        if fault := sharing.fault(self.file, self.text):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{PATHS[self.file]}.next")

    def input(self) -> str:
        return self.text

    def shown(self) -> tuple[str, ...]:
        """The plan shows the text itself as a difference, and holds it to its hash."""
        found = hashlib.sha256(self.text.encode()).hexdigest()
        return (*self.argv(), "<<<", f"(the file with SHA-256 {found})")


class CheckSamba(Command, frozen=True, kw_only=True):
    """Let Samba's own parser read the staged file. It reports unknown parameters, and goes on: we do not."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("testparm", "--suppress-prompt", f"{PATHS['samba']}.next")

    def fault(self, stdout: str, stderr: str) -> str | None:
        bad = ("unknown parameter", "error:", "bad value", "badly formed", "invalid", "not boolean")
        said = stderr.splitlines()
        return next((line.strip() for line in said if any(word in line.lower() for word in bad)), None)


class CheckExports(Command, frozen=True, kw_only=True):
    """Let exportfs read the staged file where it changes nothing: in a view of its own of what it writes.

    It ends with 1 for a fault, which it reports. For a file that exports nothing it prints nothing, and ends
    with 0 or 1. That a name of `known` does not resolve is no fault: the file in use has it already, and it
    would keep everything else from being changed or withdrawn.
    """

    reads = True
    good_exits = (0, 1)
    timeout_s = 90.0  # it resolves the names of hosts
    known: tuple[ClientName, ...] = ()

    def argv(self) -> tuple[str, ...]:
        staged = f"{PATHS['exports']}.next"
        views = ("TemporaryFileSystem=/var/lib/nfs", f"BindReadOnlyPaths={staged}:/etc/exports")
        hidden = "InaccessiblePaths=/etc/exports.d"
        return (
            "systemd-run", "--quiet", "--pipe", "--wait", "--collect",
            *(f"--property={one}" for one in (*views, hidden)),
            "exportfs", "-r",
        )  # fmt: skip

    def fault(self, stdout: str, stderr: str) -> str | None:
        passed_over = {f"exportfs: Failed to resolve {name}" for name in self.known}
        said = [line.strip() for line in stderr.splitlines() if line.startswith("exportfs:")]
        return " ".join(line for line in said if line not in passed_over) or None


class KeepFile(SharesCommand, frozen=True, kw_only=True):
    """Keep the file as it is now, until the new one has proved itself; an empty one where it is `missing`."""

    file: SharingFile
    missing: bool = False

    def argv(self) -> tuple[str, ...]:
        path = PATHS[self.file]
        if self.missing:
            return ("tee", f"{path}.before")  # of nothing: what was kept before the last change is older
        return ("cp", "--preserve", "--no-target-directory", path, f"{path}.before")


class PlaceFile(SharesCommand, frozen=True, kw_only=True):
    """Put the staged file in place."""

    file: SharingFile

    def argv(self) -> tuple[str, ...]:
        path = PATHS[self.file]
        return ("mv", "--no-target-directory", f"{path}.next", path)


class PutBackFile(SharesCommand, frozen=True, kw_only=True):
    """Put the kept file back in place."""

    file: SharingFile

    def argv(self) -> tuple[str, ...]:
        path = PATHS[self.file]
        return ("mv", "--no-target-directory", f"{path}.before", path)


class ReloadService(SharesCommand, frozen=True, kw_only=True):
    """Let a service read its files again; a `restart` cuts what is connected, which connects again."""

    timeout_s = 180.0
    service: SharingService
    how: Literal["reload", "restart"] = "reload"

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", self.how, self.service)


class SwitchService(SharesCommand, frozen=True, kw_only=True):
    """Start a service, now and at each boot, or stop it for good. A busy machine takes its time."""

    timeout_s = 180.0
    service: SharingService
    on: bool

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "enable" if self.on else "disable", "--now", self.service)


class ShareAnswers(Command, frozen=True, kw_only=True):
    """Ask the running Samba for a share, as nobody: who has no right is refused by one that is there."""

    timeout_s = 30.0
    reads = True
    good_exits = (0, 1)
    name: ShareName

    def argv(self) -> tuple[str, ...]:
        # In a unit of its own: the helper has no network.
        alone = ("DynamicUser=yes", "RestrictAddressFamilies=AF_UNIX AF_INET AF_NETLINK", "ProtectHome=yes")
        return (
            "systemd-run", "--quiet", "--pipe", "--wait", "--collect", AS_GIVEN,
            *(f"--property={one}" for one in alone),
            "smbclient", f"//127.0.0.1/{self.name}", "--no-pass", "--command=exit",
        )  # fmt: skip

    def fault(self, stdout: str, stderr: str) -> str | None:
        said = f"{stdout}\n{stderr}"
        refused = ("NT_STATUS_ACCESS_DENIED", "NT_STATUS_LOGON_FAILURE")
        if not any(word in said for word in ("NT_STATUS_", "ERROR", "failed")):
            return None  # a guest
        if any(word in said for word in refused):
            return None
        return f"Samba does not serve {self.name}: {said.strip().splitlines()[-1]}"


class ExportsAnswer(Command, frozen=True, kw_only=True):
    """Ask the NFS server what it exports; each of `paths` must be there, and each of `gone` not."""

    reads = True
    paths: tuple[FolderPath, ...] = ()
    gone: tuple[FolderPath, ...] = ()

    def argv(self) -> tuple[str, ...]:
        return ("exportfs", "-s")

    def fault(self, stdout: str, stderr: str) -> str | None:
        found = {exported_path(line) for line in lines(stdout)}
        if missing := [path for path in self.paths if path not in found]:
            return f"The NFS server does not export {', '.join(missing)}."
        if kept := [path for path in self.gone if path in found]:
            return f"The NFS server still exports {', '.join(kept)}."
        return None


class CloseShare(SharesCommand, frozen=True, kw_only=True):
    """Close what clients have open in an SMB share that is no longer served."""

    name: ShareName

    def argv(self) -> tuple[str, ...]:
        return ("smbcontrol", "--", "smbd", "close-share", self.name)  # a name may begin with a hyphen


class ReleaseNfs(SharesCommand, frozen=True, kw_only=True):
    """Let go of what clients of NFS have open or locked in a file system, so that it can be unmounted.

    Status 1 where the NFS server does not run, and so holds nothing: there is no such file then.
    """

    good_exits = (0, 1)
    path: FolderPath

    def argv(self) -> tuple[str, ...]:
        return ("tee", "/proc/fs/nfsd/unlock_filesystem")

    def fault(self, stdout: str, stderr: str) -> str | None:
        """Anything that tee says besides that."""
        return stderr.strip() if stderr and "No such file or directory" not in stderr else None

    def input(self) -> str:
        return f"{self.path}\n"


def exported_path(line: str) -> str:
    r"""The path of a line of the table of exports; its odd bytes are written as \040 (exports(5))."""
    path = line.split("\t")[0] if "\t" in line else line.rpartition(" ")[0]
    first, *rest = path.strip().split("\\")
    text = first.encode()
    for part in rest:
        code = _OCTAL.match(part)
        text += bytes([int(code[0], 8)]) + part[3:].encode() if code else b"\\" + part.encode()
    return text.decode("utf-8", "replace")


Commands = (
    SharingFiles
    | SharingServices
    | StageFile
    | CheckSamba
    | CheckExports
    | KeepFile
    | PlaceFile
    | PutBackFile
    | ReloadService
    | SwitchService
    | ShareAnswers
    | ExportsAnswer
    | CloseShare
    | ReleaseNfs
)

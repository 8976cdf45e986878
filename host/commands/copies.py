"""Copies of the console's settings on pools: written, read, and laid out for a restore.

What is kept comes from a folder of the worker's, named by the digest of its content; the program (`host.
programs.copies`) checks all of it again, adds what root alone may read, and mounts the dataset for itself
alone. So neither passwords nor paths are in any command.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated

from msgspec import Meta

from host.backup.folders import READY, RESTORED, SAMBA, STAGED, WORKSHOP
from host.backup.names import CopyName, Digest
from host.commands.base import Command, DatasetName
from host.commands.files import Ticket
from host.commands.starting import AT_ONCE_S, begun, python, waited
from host.files.places import HANDED_OUT

UploadId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
_Key = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
UNIT = "nasweb-copies-"  # what confines it is a drop-in that ansible installs


def _waited(name: str) -> tuple[str, ...]:
    return (*waited(f"{UNIT}{name}.service"), *python("copies"))


class SaveSambaAccounts(Command, frozen=True, kw_only=True):
    """Let pdbedit write whom Samba knows, with hashes, to a file in memory that is root's alone."""

    timeout_s = 120.0

    def argv(self) -> tuple[str, ...]:
        # systemd opens the file: what pdbedit says goes through nobody's hands.
        target = ("UMask=0077", f"StandardOutput=truncate:{WORKSHOP / SAMBA}")
        return (
            "systemd-run", "--quiet", "--wait", "--collect", *(f"--property={one}" for one in target),
            "pdbedit", "--list", "--smbpasswd-style",
        )  # fmt: skip


class KeepCopy(Command, frozen=True, kw_only=True):
    """Write a copy of what the worker laid out, unless the newest one says the same and is whole."""

    timeout_s = 300.0
    dataset: DatasetName
    content: Digest
    secrets: bool
    anyway: bool = False

    def argv(self) -> tuple[str, ...]:
        flags = ("--secrets",) * self.secrets + ("--anyway",) * self.anyway
        key = sha256(f"{self.dataset} {self.content}".encode()).hexdigest()[:16]
        run = _waited(f"keep-{key}")
        return (*run, "keep", f"--dataset={self.dataset}", f"--content={self.content}", *flags)


class ListCopies(Command, frozen=True, kw_only=True):
    """The copies of a pool with their manifests, as JSON. `key` is new each time."""

    reads = True
    timeout_s = 60.0
    dataset: DatasetName
    key: _Key

    def argv(self) -> tuple[str, ...]:
        return (*_waited(f"list-{self.key}"), "list", f"--dataset={self.dataset}")


class _OfACopy(Command, frozen=True, kw_only=True):
    """One on a pool, by its name or the newest, or one that was sent to the console."""

    dataset: DatasetName | None = None
    copy: CopyName | None = None
    upload: UploadId | None = None

    def __post_init__(self) -> None:
        if (self.dataset is None) == (self.upload is None):
            raise ValueError("Either the dataset or what was sent")

    def where(self) -> tuple[str, ...]:
        """The program's options."""
        if self.upload is not None:
            return (f"--upload={self.upload}",)
        copy = () if self.copy is None else (f"--copy={self.copy}",)
        return (f"--dataset={self.dataset}", *copy)


class CheckCopy(_OfACopy, frozen=True, kw_only=True):
    """Read a copy whole and compare every hash; its manifest and people as JSON."""

    reads = True
    timeout_s = 120.0
    key: _Key

    def argv(self) -> tuple[str, ...]:
        return (*_waited(f"check-{self.key}"), "check", *self.where())


class StageCopy(_OfACopy, frozen=True, kw_only=True):
    """Lay out what is in a copy, whole and checked, for the steps of a restore. Puts nothing in place."""

    timeout_s = 300.0

    def argv(self) -> tuple[str, ...]:
        return (*_waited("stage"), "stage", "--owned", *self.where())


class HandOutCopy(_OfACopy, frozen=True, kw_only=True):
    """Hand a copy once to the console's own account, as `HandOutFile` does with files."""

    timeout_s = AT_ONCE_S
    ticket: Ticket

    def argv(self) -> tuple[str, ...]:
        folder = f"{HANDED_OUT}/{self.ticket}"
        unit = f"{UNIT}download-{self.ticket}.service"
        runtime = (f"RuntimeDirectory={folder.removeprefix('/run/')}", "RuntimeDirectoryMode=0750")
        options = (f"--property={one}" for one in ("Group=nasweb", *runtime))
        run = begun(unit, "Nasweb download of a copy of the settings", *options, within_s=AT_ONCE_S)
        return (*run, *python("copies"), "hand-out", f"--socket={folder}/socket", *self.where())


class ImportSambaAccounts(Command, frozen=True, kw_only=True):
    """Give Samba the people that were laid out, with the passwords they had. Their accounts must be there."""

    timeout_s = 120.0

    def argv(self) -> tuple[str, ...]:
        return ("pdbedit", f"--import=smbpasswd:{WORKSHOP / SAMBA}.restored")

    def fault(self, stdout: str, stderr: str) -> str | None:
        bad = [line for line in stdout.splitlines() if line.endswith("nope")]
        return f"Samba refused some of them: {' '.join(bad)}" if bad else None


class ForgetStaged(Command, frozen=True, kw_only=True):
    """Remove what was laid out."""

    def argv(self) -> tuple[str, ...]:
        what = (str(RESTORED), f"{WORKSHOP / SAMBA}.restored")
        return ("rm", "--recursive", "--force", "--one-file-system", *what)


class OrderRestored(Command, frozen=True, kw_only=True):
    """From now on the next start of the console puts the laid-out database in place."""

    def argv(self) -> tuple[str, ...]:
        return ("mv", "--no-target-directory", str(RESTORED / STAGED), str(RESTORED / READY))


class RestartConsole(Command, frozen=True, kw_only=True):
    """Start the console again. The worker ends the job in hand first; nobody waits for that here."""

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "restart", "--no-block", "nasweb.target")


Commands = (
    SaveSambaAccounts
    | KeepCopy
    | ListCopies
    | CheckCopy
    | StageCopy
    | HandOutCopy
    | ImportSambaAccounts
    | ForgetStaged
    | OrderRestored
    | RestartConsole
)

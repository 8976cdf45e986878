"""Backups to repositories of restic: their settings as root's files, and the programs that go there.

A repository is known by its key. What leads to it (address, password, keys) lies in a folder of that name,
and is in no other command: nobody but who makes a repository says where data goes. Whatever speaks to one
runs in a unit of its own (`host.programs.backup`), as the helper has no network.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.base import Command, DatasetName, Fed, PoolsCommand, SecretReference, SnapshotName
from host.commands.files import FileName, FilePath
from host.commands.starting import START_S, begun, explained, last_line, python, waited
from host.repositories.places import KEPT, KEY, PASSWORD, REPORTS, SETTINGS, SSH_KEY
from host.repositories.settings import HostName, Port, RepositorySettings, RestServer, server_fault

RepositoryKey = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
BackupKey = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
RunKey = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
StoredId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{8,64}\Z")]
# restic reads one from each line of a file: what would be another line, or nothing, is no pattern.
Exclusion = Annotated[
    str,
    Meta(
        pattern=r"\A(?![#!/\s])[^\x00-\x1f\x7f$]{1,200}(?<!\s)\Z",
        description="a pattern such as *.tmp or Cache, without $ and not beginning with #, ! or /",
    ),
]
_Kept = Annotated[int, Meta(ge=0, le=10_000)]
Percent = Annotated[int, Meta(ge=1, le=100)]
UNIT = "nasweb-backup-"
REACH_S = 120.0  # to make a repository, or to open one
ASK_S = 75.0  # the program gives up by itself earlier
_PROGRAM = python("backup")


class RepositoryRetention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many snapshots of each dataset stay: the last ones, and the last of so many days, weeks, months and
    years. All 0: nothing is ever removed."""

    last: _Kept = 0
    daily: _Kept = 0
    weekly: _Kept = 0
    monthly: _Kept = 0
    yearly: _Kept = 0

    def flags(self) -> tuple[str, ...]:
        """`--keep-daily=7`, of those that are given."""
        found = msgspec.structs.asdict(self)
        return tuple(f"--keep-{name}={number}" for name, number in found.items() if number)


def run_unit(run: str) -> str:
    """The unit of a run."""
    return f"{UNIT}{run}.service"


def _started(run: str, what: str, *arguments: str) -> tuple[str, ...]:
    return (*begun(run_unit(run), f"Nasweb {what}"), *_PROGRAM, what, f"--run={run}", *arguments)


def _asked(action: str, key: str, *arguments: str) -> tuple[str, ...]:
    return (*waited(f"{UNIT}ask-{key}.service"), *_PROGRAM, action, *arguments)


class MakeRepositoryFolder(PoolsCommand, frozen=True, kw_only=True):
    """Make root's folder for what leads to a repository. One that is there stays, with what is in it."""

    repository: RepositoryKey

    def argv(self) -> tuple[str, ...]:
        return ("mkdir", "--mode=0700", "--", f"{KEPT}/{self.repository}")


class WriteRepository(PoolsCommand, frozen=True, kw_only=True):
    """Write where a repository is."""

    repository: RepositoryKey
    settings: RepositorySettings

    def argv(self) -> tuple[str, ...]:
        return ("install", "--mode=0600", "/dev/stdin", f"{KEPT}/{self.repository}/{SETTINGS}")

    def input(self) -> str:
        return f"{msgspec.json.encode(self.settings).decode()}\n"


class StoreRepositorySecret(PoolsCommand, frozen=True, kw_only=True):
    """Store the password of a repository, or the key that its server asks for."""

    repository: RepositoryKey
    what: Literal["password", "key"]
    secret: SecretReference

    def argv(self) -> tuple[str, ...]:
        name = PASSWORD if self.what == "password" else KEY
        return ("install", "--mode=0600", "/dev/stdin", f"{KEPT}/{self.repository}/{name}")

    def feeds(self) -> Fed:
        what = "the repository's password" if self.what == "password" else "the key for its server"
        return Fed(reference=self.secret, what=what)


class MakeRepositoryKey(PoolsCommand, frozen=True, kw_only=True):
    """Make an SSH key for one repository alone."""

    repository: RepositoryKey

    def argv(self) -> tuple[str, ...]:
        comment = f"nasweb-backup-{self.repository}"
        path = f"{KEPT}/{self.repository}/{SSH_KEY}"
        return ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path)


class ReadRepositoryKey(Command, frozen=True, kw_only=True):
    """The public half of that key, which the server has to know; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    repository: RepositoryKey

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{KEPT}/{self.repository}/{SSH_KEY}.pub")


class ForgetRepository(PoolsCommand, frozen=True, kw_only=True):
    """Remove what leads to a repository. What is stored there stays, and nobody here can read it any more."""

    repository: RepositoryKey

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--recursive", "--force", "--one-file-system", "--", f"{KEPT}/{self.repository}")


class InitRepository(PoolsCommand, frozen=True, kw_only=True):
    """Make a new repository at its place. One that is there already is refused, and stays as it is."""

    timeout_s = REACH_S
    repository: RepositoryKey

    def argv(self) -> tuple[str, ...]:
        return _asked("init", self.repository, f"--repository={self.repository}")


class OpenRepository(PoolsCommand, frozen=True, kw_only=True):
    """See that there is a repository at its place which the password opens."""

    timeout_s = REACH_S
    repository: RepositoryKey

    def argv(self) -> tuple[str, ...]:
        return _asked("open", self.repository, f"--repository={self.repository}")


class ReadServerKeys(Command, frozen=True, kw_only=True):
    """The public keys that an SSH server shows, as JSON. Whoever asks compares and pins one. `key` is new
    each time, as of the two that follow."""

    reads = True
    timeout_s = ASK_S
    host: HostName
    port: Port
    key: RunKey

    def __post_init__(self) -> None:
        if why := server_fault(RestServer(host=self.host)):
            raise ValueError(why)

    def argv(self) -> tuple[str, ...]:
        return _asked("server-keys", self.key, f"--host={self.host}", f"--port={self.port}")


class ListStoredSnapshots(Command, frozen=True, kw_only=True):
    """The snapshots in a repository, as JSON."""

    reads = True
    timeout_s = ASK_S
    repository: RepositoryKey
    key: RunKey

    def argv(self) -> tuple[str, ...]:
        return _asked("snapshots", self.key, f"--repository={self.repository}")


class ListStoredFolder(Command, frozen=True, kw_only=True):
    """What lies in a folder of a snapshot in a repository, as JSON."""

    reads = True
    timeout_s = ASK_S
    repository: RepositoryKey
    key: RunKey
    snapshot: StoredId
    path: FilePath = ""

    def argv(self) -> tuple[str, ...]:
        where = (f"--repository={self.repository}", f"--stored={self.snapshot}", f"--path={self.path}")
        return _asked("folder", self.key, *where)


class BackupUnitSaid(Command, frozen=True, kw_only=True):
    """The last line that the unit of a run wrote: why it refuses."""

    reads = True
    timeout_s = 20.0
    run: RunKey

    def argv(self) -> tuple[str, ...]:
        return last_line(run_unit(self.run))


class _Run(PoolsCommand, frozen=True, kw_only=True):
    """One that ends once its unit has begun, which goes on and writes a report."""

    timeout_s = START_S
    run: RunKey
    repository: RepositoryKey

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=BackupUnitSaid(run=self.run))


class StartBackup(_Run, frozen=True, kw_only=True):
    """Bring snapshots that were taken for it into a repository, one dataset after the other, then remove what
    the retention does not keep. The snapshots are destroyed at its end."""

    backup: BackupKey
    host: Annotated[str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9.\-]{0,63}\Z")]
    snapshots: Annotated[tuple[SnapshotName, ...], Meta(min_length=1, max_length=500)]
    exclusions: Annotated[tuple[Exclusion, ...], Meta(max_length=100)] = ()
    retention: RepositoryRetention = RepositoryRetention()

    def argv(self) -> tuple[str, ...]:
        return _started(
            self.run, "backup", f"--repository={self.repository}", f"--backup={self.backup}",
            f"--host={self.host}", *(f"--snapshot={one}" for one in self.snapshots),
            *(f"--exclude={one}" for one in self.exclusions), *self.retention.flags(),
        )  # fmt: skip


class StartRepositoryCheck(_Run, frozen=True, kw_only=True):
    """Check a repository's structure, and read so much of its data back."""

    percent: Percent

    def argv(self) -> tuple[str, ...]:
        return _started(self.run, "check", f"--repository={self.repository}", f"--percent={self.percent}")


class StartStoredRestore(_Run, frozen=True, kw_only=True):
    """Bring one file or folder, or (`path` empty) all of a snapshot, back into a folder of a dataset, under a
    name that is free there."""

    stored: StoredId
    path: FilePath
    dataset: DatasetName
    folder: FilePath
    name: FileName

    def argv(self) -> tuple[str, ...]:
        return _started(
            self.run, "restore", f"--repository={self.repository}", f"--stored={self.stored}",
            f"--path={self.path}", f"--dataset={self.dataset}", f"--folder={self.folder}",
            f"--name={self.name}",
        )  # fmt: skip


class StopBackupRun(PoolsCommand, frozen=True, kw_only=True):
    """Ask for the end of a run and wait for it: restic releases its lock, and what it has stored stays."""

    timeout_s = 180.0
    good_exits = (0, 5)  # 5: it has ended
    run: RunKey

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", run_unit(self.run))


class ReadBackupRun(Command, frozen=True, kw_only=True):
    """The report of a run, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    run: RunKey

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{REPORTS}/{self.run}.json")


class ListBackupRuns(Command, frozen=True, kw_only=True):
    """The units of runs that go on now, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--all", "--type=service", "--output=json", f"{UNIT}*")


Commands = (
    MakeRepositoryFolder
    | WriteRepository
    | StoreRepositorySecret
    | MakeRepositoryKey
    | ReadRepositoryKey
    | ForgetRepository
    | InitRepository
    | OpenRepository
    | ReadServerKeys
    | ListStoredSnapshots
    | ListStoredFolder
    | BackupUnitSaid
    | StartBackup
    | StartRepositoryCheck
    | StartStoredRestore
    | StopBackupRun
    | ReadBackupRun
    | ListBackupRuns
)

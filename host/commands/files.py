"""Reading and restoring files of datasets: programs of our own that open paths safely (`host.files.opening`).

Paths are text as `host.files.names` writes them. Reads answer in JSON, and end well too where there is
nothing: the answer is then a `FileProblem`. What takes its time runs in a transient systemd unit.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DatasetName, PoolsCommand, SnapshotTag
from host.commands.starting import AT_ONCE_S, RELEASE, START_S, begun, explained, last_line, python, waited
from host.files.places import HANDED_OUT, REPORTS

_PART = r"(?!\.{1,2}(?:/|\Z))[^/\x00-\x1f\x7f]+"
FilePath = Annotated[str, Meta(pattern=rf"\A(?:{_PART}(?:/{_PART})*)?\Z", max_length=12_288)]
FileName = Annotated[str, Meta(pattern=rf"\A{_PART}\Z", max_length=3_069)]
_Text = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f]*\Z", max_length=3_070)]
RestoreId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
Ticket = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]

RESTORES, DOWNLOADS = "nasweb-files-restore-", "nasweb-files-download-"
UPLOADS = "nasweb-files-upload-"
LONGEST_READ_S = 45.0  # the programs give up by themselves a little earlier


def _reader(action: str, dataset: str, *options: str) -> tuple[str, ...]:
    run = ("env", f"--chdir={RELEASE}", *python("read_files"))
    return (*run, action, f"--dataset={dataset}", *options)


def _of(tag: str | None) -> tuple[str, ...]:
    return () if tag is None else (f"--snapshot={tag}",)


class ReadFolder(Command, frozen=True, kw_only=True):
    """Some entries of a folder, in a snapshot or (`tag` None) as it is now, behind the one called `after`."""

    reads = True
    timeout_s = LONGEST_READ_S
    dataset: DatasetName
    tag: SnapshotTag | None = None
    path: FilePath = ""
    after: _Text | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    contains: _Text = ""

    def argv(self) -> tuple[str, ...]:
        after = () if self.after is None else (f"--after={self.after}",)
        contains = (f"--contains={self.contains}",) if self.contains else ()
        where = (*_of(self.tag), f"--path={self.path}")
        return _reader("list", self.dataset, *where, *after, f"--limit={self.limit}", *contains)


class SeeVersions(Command, frozen=True, kw_only=True):
    """What lies at a path in each of these snapshots; with `live` also now. Each is mounted by the kernel."""

    reads = True
    timeout_s = LONGEST_READ_S
    dataset: DatasetName
    path: FilePath
    tags: Annotated[tuple[SnapshotTag, ...], Meta(max_length=500)]
    live: bool = False

    def argv(self) -> tuple[str, ...]:
        live = ("--live",) if self.live else ()
        tags = (f"--snapshot={tag}" for tag in self.tags)
        return _reader("see", self.dataset, f"--path={self.path}", *live, *tags)


class MeasureFiles(Command, frozen=True, kw_only=True):
    """How much lies at a path of a snapshot, and what lies now where it would be put."""

    reads = True
    timeout_s = LONGEST_READ_S
    dataset: DatasetName
    tag: SnapshotTag
    path: FilePath
    folder: FilePath  # of the live state
    name: FileName
    kept_as: SnapshotTag  # looks for snapshots called this with a number behind it

    def argv(self) -> tuple[str, ...]:
        target = (f"--folder={self.folder}", f"--name={self.name}", f"--kept-as={self.kept_as}")
        return _reader("measure", self.dataset, *_of(self.tag), f"--path={self.path}", *target)


class CompareTexts(Command, frozen=True, kw_only=True):
    """The difference of a text file between two states, each a snapshot or (None) what is there now."""

    reads = True
    timeout_s = LONGEST_READ_S
    dataset: DatasetName
    path: FilePath
    before: SnapshotTag | None
    after: SnapshotTag | None

    def argv(self) -> tuple[str, ...]:
        states = (f"--before={self.before or ''}", f"--then={self.after or ''}")
        return _reader("compare", self.dataset, f"--path={self.path}", *states)


def restore_unit(restore: str) -> str:
    """The unit that carries out a restore."""
    return f"{RESTORES}{restore}.service"


def download_unit(ticket: str) -> str:
    """The unit that hands out a file."""
    return f"{DOWNLOADS}{ticket}.service"


def upload_unit(ticket: str) -> str:
    """The unit that makes files for a person."""
    return f"{UPLOADS}{ticket}.service"


_UNITS = {"restore": restore_unit, "download": download_unit, "upload": upload_unit}


def files_unit(what: Literal["restore", "download", "upload"], key: str) -> str:
    """The unit of such a program."""
    return _UNITS[what](key)


class FilesUnitSaid(Command, frozen=True, kw_only=True):
    """The last line that such a unit's program wrote: why it refuses, or why it failed."""

    reads = True
    timeout_s = 20.0
    what: Literal["restore", "download", "upload"]
    key: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16,32}\Z")]

    def argv(self) -> tuple[str, ...]:
        return last_line(files_unit(self.what, self.key))


class RestoreFile(PoolsCommand, frozen=True, kw_only=True):
    """Copy what lies at a path of a snapshot into a folder of the live state, under `name`.

    With `over` it takes the place of what is there. It ends once that is done or, where it takes longer,
    goes on in its unit and writes a report.
    """

    timeout_s = START_S
    restore: RestoreId
    dataset: DatasetName
    tag: SnapshotTag
    path: FilePath
    folder: FilePath
    name: FileName
    over: bool = False

    def argv(self) -> tuple[str, ...]:
        return (
            *begun(restore_unit(self.restore), f"Nasweb restore into {self.dataset}"),
            *python("restore"),
            f"--restore={self.restore}",
            f"--dataset={self.dataset}",
            f"--snapshot={self.tag}",
            f"--path={self.path}",
            f"--folder={self.folder}",
            f"--name={self.name}",
            *(("--over",) if self.over else ()),
        )

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=FilesUnitSaid(what="restore", key=self.restore))


class ShareBlocks(PoolsCommand, frozen=True, kw_only=True):
    """Let files share the blocks of `kept`, each once its bytes were found to be the same, and wait.

    What differs, or is open, stays as it is. `key` is the same for each dataset: one at a time.
    """

    timeout_s = 4 * 3600.0
    key: RestoreId
    dataset: DatasetName
    kept: FilePath
    paths: Annotated[tuple[FilePath, ...], Meta(min_length=1, max_length=100)]

    def argv(self) -> tuple[str, ...]:
        return (
            *waited(f"nasweb-files-clone-{self.key}.service"), *python("clones"),
            f"--dataset={self.dataset}", f"--kept={self.kept}", *(f"--path={path}" for path in self.paths),
        )  # fmt: skip


class StopRestore(PoolsCommand, frozen=True, kw_only=True):
    """Ask for the end of a restore and wait for it: what it copied so far is removed."""

    timeout_s = 180.0
    good_exits = (0, 5)  # 5: it has ended
    restore: RestoreId

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", restore_unit(self.restore))


class ReadRestore(Command, frozen=True, kw_only=True):
    """The report of a restore, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    restore: RestoreId

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{REPORTS}/{self.restore}.json")


class ListRestores(Command, frozen=True, kw_only=True):
    """The units of restores that go on now, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--all", "--type=service", "--output=json", f"{RESTORES}*")


class HandOutFile(Command, frozen=True, kw_only=True):
    """Open one file for reading, or a folder as an archive, and hand it once to the console's own account.

    Whoever asks with the ticket within a minute gets the open file through a socket, and nothing else.
    """

    timeout_s = AT_ONCE_S
    ticket: Ticket
    dataset: DatasetName
    tag: SnapshotTag | None = None
    path: FilePath
    archive: bool = False

    def argv(self) -> tuple[str, ...]:
        folder = f"{HANDED_OUT}/{self.ticket}"
        unit, runtime = download_unit(self.ticket), f"RuntimeDirectory={folder.removeprefix('/run/')}"
        described = f"Nasweb download from {self.dataset}"
        return (
            *begun(unit, described, f"--property={runtime}", within_s=AT_ONCE_S),
            *python("hand_out"),
            f"--socket={folder}/socket",
            f"--dataset={self.dataset}",
            *_of(self.tag),
            f"--path={self.path}",
            *(("--archive",) if self.archive else ()),
        )

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=FilesUnitSaid(what="download", key=self.ticket))


Commands = (
    ReadFolder
    | SeeVersions
    | MeasureFiles
    | CompareTexts
    | FilesUnitSaid
    | RestoreFile
    | ShareBlocks
    | StopRestore
    | ReadRestore
    | ListRestores
    | HandOutFile
)

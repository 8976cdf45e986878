"""What is told of files, as the API has it. Names and paths are written as `host.files.names` says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NoReturn

import msgspec

from host.base import Host
from host.commands.base import Command
from host.commands.closed import decode, encode
from host.files.answers import FileEntry, FileKind
from host.probe.files import NoFiles, read_files
from jobs.api.shapes import Moment
from jobs.plan import Refused
from jobs.planning.findings import fault
from pools.files.reach import path_fault

NOT_THERE = frozenset({"not-found", "no-snapshot", "unknown-dataset"})  # codes that are answered by 404
_FIELDS = {"no-snapshot": "snapshot", "not-mounted": "dataset", "hidden": "dataset"}


class FileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A file, folder or link. In `name` and `path`, bytes that are no readable UTF-8 and `%` are `%XX`."""

    name: str
    path: str  # from the dataset's own folder
    kind: FileKind  # mount: another dataset is mounted there
    size_bytes: int  # 0 for folders
    modified_at: Moment
    changed_at: Moment  # of its name, owner or rights as well
    mode: str  # permission bits in octal, such as 0644
    owner: str
    group: str
    uid: int
    gid: int
    leads_to: str | None = None  # of a link


def shown_file(entry: FileEntry, path: str) -> FileAnswer:
    """The entry that lies at `path`."""
    return FileAnswer(
        name=entry.name,
        path=path,
        kind=entry.kind,
        size_bytes=entry.size_bytes,
        modified_at=moment(entry.modified_ns),
        changed_at=moment(entry.changed_ns),
        mode=f"{entry.mode:04o}",
        owner=entry.owner,
        group=entry.group,
        uid=entry.uid,
        gid=entry.gid,
        leads_to=entry.leads_to,
    )


def moment(nanoseconds: int) -> str:
    """ISO 8601 in UTC, to the microsecond; the ends of what can be said for times beyond."""
    seconds = min(max(nanoseconds // 1000 / 1e6, -62_135_596_800), 253_402_300_799)
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def ask[T: msgspec.Struct](host: Host, command: Command, kind: type[T]) -> T:
    """The machine's answer. Raises `Refused` for what is not there or cannot be asked for, `HostError`."""
    sound(command)
    try:
        return read_files(host, command, kind)
    except NoFiles as none:
        _refuse(none)


def sound(command: Command) -> None:
    """Raises `Refused` for a command that the helper would not take as one."""
    if fault_found := path_fault(getattr(command, "path", ""), "path"):
        raise Refused((fault_found,))
    try:
        decode(encode(command))
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        where = str(error).partition("`$.")[2].rstrip("`")
        message = "This cannot be the name of a dataset, snapshot or file."
        raise Refused((fault("bad-value", where, message),)) from None


def _refuse(none: NoFiles) -> NoReturn:
    code = none.problem.code
    raise Refused((fault(code, _FIELDS.get(code, "path"), none.problem.message),)) from None

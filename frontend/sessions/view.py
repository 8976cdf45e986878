"""Clients of the shares as values for the eye."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from host.inventory.sessions import OpenFile, Session
from jobs.wording import counted
from shares.sessions.see import Sessions

_MODES = {"none": "open", "read": "reading", "write": "writing", "both": "reading and writing"}


class FileRow(msgspec.Struct, frozen=True, kw_only=True):
    """An open file."""

    path: str
    doing: str
    since: str | None


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A client with what it has open."""

    id: str
    who: str
    where: str
    address: str
    protocol: str
    guard: str  # how the connection is kept from others' eyes and hands
    guarded: bool
    since: str | None
    renewed: str
    shares: str
    files: tuple[FileRow, ...]
    files_words: str
    more_files: int


def session_rows(sessions: Sessions, wanted: str) -> tuple[SessionRow, ...]:
    """Those in whose names, addresses, shares or open files `wanted` stands, in any case."""
    return tuple(_row(one) for one in sessions.results if wanted.casefold() in _text(one))


def mark_of(sessions: Sessions) -> str:
    """Changes whenever something is to be shown anew; not with the seconds since a client was heard of."""
    still = tuple(msgspec.structs.replace(one, renewed_s=None) for one in sessions.results)
    return sha256(msgspec.json.encode((still, sessions.more))).hexdigest()[:16]


def _text(one: Session) -> str:
    words = (one.person, one.machine, one.address, one.dialect, *one.shares, *(f.path for f in one.files))
    return "\n".join(word for word in words if word).casefold()


def _row(one: Session) -> SessionRow:
    count = len(one.files) + one.more_files
    writing = sum(opened.writes for opened in one.files)
    return SessionRow(
        id=one.id,
        who=one.person or one.machine,
        where=one.machine if one.person else "",
        address=one.address if one.address and one.address != one.machine else "",
        protocol=one.dialect.replace("_", ".").replace("SMB3.", "SMB 3.").replace("NFSv", "NFS "),
        guard=_guard(one),
        guarded=bool(one.encrypted or one.signed),
        since=one.since,
        renewed="" if one.renewed_s is None else f"last seen {counted(one.renewed_s, 'second')} ago",
        shares=", ".join(one.shares),
        files=tuple(map(_file, one.files)),
        files_words=counted(count, "file") + (f", {writing} being written" if writing else ""),
        more_files=one.more_files,
    )


def _guard(one: Session) -> str:
    if one.encrypted is None:
        return "unknown"
    if one.encrypted:
        return "encrypted"
    return "signed" if one.signed else "neither"


def _file(opened: OpenFile) -> FileRow:
    return FileRow(path=opened.path, doing=_MODES[opened.mode], since=opened.since)

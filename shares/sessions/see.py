"""shares.sessions: who is connected, and which files are open. Read when asked for: it always changes."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.inventory.sessions import Session
from host.probe.shares.sessions import read_sessions

_MOST, _MOST_FILES = 1000, 200


class AskSessions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask who is connected. NFSv3 has no sessions, so its clients are unknown to everybody."""


class Sessions(msgspec.Struct, frozen=True, kw_only=True):
    """SMB first, then NFSv4; `more` sessions were left out."""

    results: tuple[Session, ...]
    more: int = 0


def answer(_request: AskSessions, host: Host) -> Sessions:
    """Raises `HostError`."""
    found = read_sessions(host)
    return Sessions(results=tuple(map(_shortened, found[:_MOST])), more=max(0, len(found) - _MOST))


def without_names(sessions: Sessions) -> Sessions:
    """`sessions` for somebody who may not read files: how many are open, and not which."""
    return msgspec.structs.replace(
        sessions,
        results=tuple(
            msgspec.structs.replace(one, files=(), more_files=len(one.files) + one.more_files)
            for one in sessions.results
        ),
    )


def _shortened(session: Session) -> Session:
    """Those that are written come first: they are what must not be left out."""
    if len(session.files) <= _MOST_FILES:
        return session
    files = sorted(session.files, key=lambda one: not one.writes)
    return msgspec.structs.replace(
        session, files=tuple(files[:_MOST_FILES]), more_files=len(files) - _MOST_FILES
    )

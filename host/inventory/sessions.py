"""Who is connected to the shares, and which files are open."""

from __future__ import annotations

from typing import Literal

import msgspec

Mode = Literal["none", "read", "write", "both"]  # none: only its attributes, or a lock


class OpenFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder that a client holds open.

    `path` is the whole path for SMB. The kernel reports only its last two parts for NFS.
    """

    path: str
    mode: Mode
    since: str | None = None  # ISO 8601; None where that is not reported

    @property
    def writes(self) -> bool:
        """Whether something of it may be unsaved."""
        return self.mode in {"write", "both"}


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A client: somebody who signed in over SMB, or a machine that has mounted something by NFSv4.

    What is None is not reported by the server.
    """

    id: str  # smb-… or nfs-…: the server's own number
    protocol: Literal["smb", "nfs"]
    number: int  # of the process that serves an SMB client, or of the NFS client as the kernel counts
    machine: str
    dialect: str  # such as SMB3_11 or NFSv4.2
    person: str | None = None
    address: str | None = None
    since: str | None = None  # ISO 8601
    renewed_s: int | None = None  # seconds since an NFS client was last heard of
    encrypted: bool | None = None
    signed: bool | None = None
    shares: tuple[str, ...] = ()
    files: tuple[OpenFile, ...] = ()
    more_files: int = 0  # that were left out

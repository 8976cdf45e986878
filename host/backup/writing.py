"""Puts a copy together from what the worker wants kept and from what root alone may read."""

from __future__ import annotations

import os
import re
import stat
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from host.backup import archive
from host.backup.archive import BadCopy
from host.backup.folders import SAMBA, Folders
from host.backup.manifest import Manifest
from host.backup.store import Shelf
from host.inventory.people import FIRST_PERSON, LAST_PERSON

_AGAIN = timedelta(days=7)  # written anew though nothing was set: for the history since
# name, number, two hashes, flags, when the password was set last: smbpasswd(5)
_LINE = re.compile(
    r"([a-z_][a-z0-9_\-]{0,30}):([0-9]{5}):[^:]{32}:[0-9A-FX]{32}:\[[A-Z ]{1,13}\]:LCT-[0-9A-F]{8}:"
)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Kept(NamedTuple):
    """How it went: the newest copy, whether it was written now, and how many there are."""

    name: str
    written: bool
    total: int


def wanted(folders: Folders, content: str, *, with_secrets: bool) -> tuple[Manifest, bytes]:
    """What shall be kept: the worker's part, and where secrets are in it what Samba knows of people.

    Raises `BadCopy`, `OSError`.
    """
    try:
        with open_file(folders.spool / content) as file:
            manifest, members = archive.unpack(file)
    except FileNotFoundError:
        raise BadCopy("What the worker laid out is gone. Try again.") from None
    if manifest.content != content or manifest.secrets != with_secrets or "smbpasswd" in members:
        raise BadCopy("What the worker laid out is not what was asked for.")
    if with_secrets and (folders.workshop / SAMBA).exists():
        with open_file(folders.workshop / SAMBA) as file:
            members["smbpasswd"] = samba_lines(file.read().decode()).encode()
    data = archive.pack(manifest, members)
    return archive.read_manifest(BytesIO(data)), data


def keep(shelf: Shelf, manifest: Manifest, data: bytes, *, anyway: bool) -> Kept:
    """Write a copy, unless the newest is whole, says the same and is of this week. Raises `OSError`."""
    newest = shelf.newest(manifest.origin)
    if newest is not None and not anyway and _still_good(newest[1], manifest):
        return Kept(str(newest[0]), False, sum(name.origin == manifest.origin for name in shelf.names()))
    name = shelf.write(data, manifest)
    return Kept(str(name), True, shelf.thin(manifest.origin))


def _still_good(newest: Manifest, manifest: Manifest) -> bool:
    # The database differs by what happened since; all else that is kept has to be the same.
    same = (newest.content, newest.secrets, newest.schema) == (
        manifest.content,
        manifest.secrets,
        manifest.schema,
    )
    age = datetime.fromisoformat(manifest.made_at) - datetime.fromisoformat(newest.made_at)
    samba = newest.members.get("smbpasswd") == manifest.members.get("smbpasswd")
    return same and samba and timedelta(0) <= age < _AGAIN


def samba_lines(text: str) -> str:
    """The lines of smbpasswd(5) that are of people of ours, sorted; all else is left out."""
    found = (_LINE.fullmatch(line.rstrip()) for line in text.splitlines())
    own = (line for line in found if line and FIRST_PERSON <= int(line[2]) <= LAST_PERSON)
    return "".join(sorted(f"{line[0]}\n" for line in own))


def open_file(path: Path) -> BinaryIO:
    """A regular file in somebody else's folder; no link is followed. Raises `OSError`."""
    descriptor = os.open(path, _READ)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, f"{path.name} is no regular file")
    return os.fdopen(descriptor, "rb")


def now() -> str:
    """As manifests have it."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"

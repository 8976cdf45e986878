"""Lays out what is in a copy where the steps of a restore find it. Nothing is put in place by this."""

from __future__ import annotations

import grp
import os
import secrets
from pathlib import Path
from typing import BinaryIO

import msgspec

from host import typed
from host.backup import archive
from host.backup.archive import BadCopy
from host.backup.folders import ORDER, READY, SAMBA, STAGED, Folders
from host.backup.manifest import Checked, KeptPeople, Manifest, MemberName, Order
from host.backup.writing import samba_lines

CONSOLE = "nasweb"  # the group that may read the database
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def checked(name: str, file: BinaryIO) -> Checked:
    """What is in a copy, every hash compared."""
    try:
        manifest, members = archive.unpack(file)
        return Checked(name=name, manifest=manifest, people=_people(manifest, members))
    except BadCopy as error:
        return Checked(name=name, problem="broken", why=str(error))


def stage(file: BinaryIO, folders: Folders, *, group: int | None) -> Manifest:
    """Lay the database, the order and the people's passwords out; `group` may read the first two.

    Raises `BadCopy`, `OSError`.
    """
    manifest, members = archive.unpack(file)
    people = _people(manifest, members)
    order = Order(id=secrets.token_hex(16), manifest=manifest)
    folders.workshop.mkdir(mode=0o700, exist_ok=True, parents=True)
    folders.restored.mkdir(mode=0o700, exist_ok=True, parents=True)
    if group is not None:
        os.chown(folders.restored, -1, group)
        folders.restored.chmod(0o750)  # whatever the mask of this program leaves
    # An order from before would be carried out with what is written now.
    (folders.restored / READY).unlink(missing_ok=True)
    passwords = _passwords(members.get("smbpasswd", b"").decode("ascii", "replace"), people)
    _write(folders.workshop / f"{SAMBA}.restored", passwords.encode(), group=None)
    _write(folders.restored / ORDER, msgspec.json.encode(order), group=group)
    _write(folders.restored / STAGED, members["database.sqlite3"], group=group)
    _sync(folders.restored)
    return manifest


def console_group() -> int:
    """The number of the console's group. Raises `BadCopy` where the console is not installed."""
    try:
        return grp.getgrnam(CONSOLE).gr_gid
    except KeyError:
        raise BadCopy(f"There is no group {CONSOLE} here.") from None


def _passwords(text: str, people: KeptPeople) -> str:
    """Of those alone who come back. Samba goes by the name and not by the number behind it: what a copy from
    anybody's disk says of root would let root sign in."""
    own = {f"{one.name}:{one.uid}" for one in people.people}
    lines = samba_lines(text).splitlines(keepends=True)
    return "".join(line for line in lines if ":".join(line.split(":", 2)[:2]) in own)


def _people(manifest: Manifest, members: dict[MemberName, bytes]) -> KeptPeople:
    if not members.get("database.sqlite3", b"").startswith(b"SQLite format 3\0"):
        raise BadCopy("There is no database in it.")
    if manifest.secrets is False and "smbpasswd" in members:
        raise BadCopy("It holds passwords and says that it holds none.")
    try:
        return typed.decode(members.get("people.json", b"{}"), KeptPeople)
    except msgspec.DecodeError as error:
        raise BadCopy(f"The list of people in it cannot be read: {error}.") from None


def _write(path: Path, data: bytes, *, group: int | None) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, _NEW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        if group is not None:
            os.fchown(descriptor, -1, group)
            os.fchmod(descriptor, 0o640)
        os.fsync(descriptor)
    fresh.replace(path)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

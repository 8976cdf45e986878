"""A copy as one file: a tar packed by gzip, `manifest.json` first, then the files that it names.

It may come from anybody's disk: nothing is unpacked to a path, and nothing is believed before its size, its
name and its SHA-256 are as the manifest says.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import IO, BinaryIO, cast

import msgspec

from host import typed
from host.backup.manifest import FORMAT, Manifest, Member, MemberName

MANIFEST = "manifest.json"
LONGEST_BYTES = 512 << 20  # of all that is in it, unpacked
_LONGEST_MANIFEST = 1 << 20
_BESIDE = 1 << 20  # headers and padding
_DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError)


class BadCopy(Exception):
    """It is no copy, or damaged, or of a release that is too new; the text says which."""


def pack(manifest: Manifest, members: Mapping[MemberName, bytes]) -> bytes:
    """The file of a copy. `manifest.members` is made anew."""
    report = {
        name: Member(size_bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
        for name, data in members.items()
    }
    manifest = msgspec.structs.replace(manifest, members=report)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=tarfile.PAX_FORMAT, compresslevel=6) as archive:
        _add(archive, MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)), manifest)
        for name in sorted(members):
            _add(archive, name, members[name], manifest)
    return out.getvalue()


def _add(archive: tarfile.TarFile, name: str, data: bytes, manifest: Manifest) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o600
    info.mtime = int(datetime.fromisoformat(manifest.made_at).timestamp())
    archive.addfile(info, io.BytesIO(data))


def read_manifest(file: BinaryIO) -> Manifest:
    """The first file in it, for which the rest is not read. Raises `BadCopy`."""
    try:
        with _opened(file, _LONGEST_MANIFEST) as archive:
            return _manifest(archive)
    except _DAMAGE as error:
        raise BadCopy(f"It cannot be read: {error}.") from None


def unpack(file: BinaryIO) -> tuple[Manifest, dict[MemberName, bytes]]:
    """All that is in it, every hash compared. Raises `BadCopy`."""
    found: dict[MemberName, bytes] = {}
    try:
        with _opened(file, LONGEST_BYTES + _LONGEST_MANIFEST) as archive:
            manifest = _manifest(archive)
            if sum(one.size_bytes for one in manifest.members.values()) > LONGEST_BYTES:
                raise BadCopy(f"It says that it holds more than {LONGEST_BYTES >> 20} MiB.")
            while (info := archive.next()) is not None:
                name = next((one for one in manifest.members if one == info.name), None)
                if name is None or name in found or not info.isreg():
                    raise BadCopy(f"It holds {info.name[:80]!r}, which its manifest does not name.")
                found[name] = _content(archive, info, manifest.members[name])
    except _DAMAGE as error:
        raise BadCopy(f"It is damaged: {error}.") from None
    if missing := manifest.members.keys() - found.keys():
        raise BadCopy(f"It lacks {', '.join(sorted(missing))}: it was cut off.")
    return manifest, found


class _Bounded:
    """Reads no further than `most` bytes: a header of a tar may say that gigabytes of notes follow, and a few
    kilobytes unpack to those."""

    def __init__(self, file: gzip.GzipFile, most: int) -> None:
        self._file, self._left = file, most

    def read(self, size: int) -> bytes:
        """Raises `BadCopy`."""
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise BadCopy("It unpacks to more than a copy can hold.")
        return data


@contextmanager
def _opened(file: BinaryIO, most: int) -> Iterator[tarfile.TarFile]:
    with gzip.GzipFile(fileobj=file, mode="rb") as plain:
        bounded = cast("IO[bytes]", _Bounded(plain, most + _BESIDE))
        with tarfile.open(fileobj=bounded, mode="r|") as archive:
            yield archive


def _manifest(archive: tarfile.TarFile) -> Manifest:
    info = archive.next()
    if info is None or info.name != MANIFEST or not info.isreg() or info.size > _LONGEST_MANIFEST:
        raise BadCopy("It is no copy of a console: it does not begin with a manifest.")
    file = archive.extractfile(info)
    text = file.read() if file else b""
    try:
        version = typed.decode(text, dict[str, msgspec.Raw]).get("format")
        if version is not None and typed.decode(version, int) > FORMAT:
            raise BadCopy("It was made by a newer release of Nasweb, which writes copies otherwise.")
        return typed.decode(text, Manifest)
    except msgspec.DecodeError as error:
        raise BadCopy(f"Its manifest cannot be read: {error}.") from None


def _content(archive: tarfile.TarFile, info: tarfile.TarInfo, report: Member) -> bytes:
    if info.size != report.size_bytes:
        raise BadCopy(f"{info.name} is of another size than its manifest says.")
    file = archive.extractfile(info)
    data = file.read() if file else b""
    if hashlib.sha256(data).hexdigest() != report.sha256:
        raise BadCopy(f"{info.name} is not what was written: its SHA-256 differs.")
    return data

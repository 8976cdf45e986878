"""A copy as a file: what was packed comes out again, and nothing else is believed."""

from __future__ import annotations

import gzip
import io
import tarfile
import tracemalloc
import zlib
from collections.abc import Callable
from typing import BinaryIO

import msgspec
import pytest

from host.backup import archive
from host.backup.archive import BadCopy
from host.backup.manifest import FORMAT
from tests.host.backup.cases import copy, database, manifest
from tests.imports import ROOT, imported
from tests.test_architecture import ROOMS

NAMES, PLACES = ROOT / "host/backup/names.py", ROOT / "host/backup/folders.py"


def repacked(data: bytes, *, without: str = "", more: dict[str, bytes] | None = None) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as old, tarfile.open(fileobj=out, mode="w:gz") as new:
        for info in old:
            file = old.extractfile(info)
            text = (more or {}).get(info.name, file.read() if file else b"")
            if info.name != without:
                info.size = len(text)
                new.addfile(info, io.BytesIO(text))
        for name, text in (more or {}).items():
            if name not in old.getnames():
                info = tarfile.TarInfo(name)
                info.size = len(text)
                new.addfile(info, io.BytesIO(text))
    return out.getvalue()


def test_what_was_packed_comes_out_again() -> None:
    data = copy(members={"people.json": b'{"people":[]}'})
    report, members = archive.unpack(io.BytesIO(data))
    assert members == {"database.sqlite3": database(), "people.json": b'{"people":[]}'}
    assert report.members["people.json"].size_bytes == 13
    assert msgspec.structs.replace(report, members={}) == manifest()
    assert archive.read_manifest(io.BytesIO(data)) == report


def test_a_manifest_is_read_from_a_copy_that_was_cut_off() -> None:
    big = copy(members={"database.sqlite3": database() + bytes(range(256)) * 4000})
    assert archive.read_manifest(io.BytesIO(big)).origin == manifest().origin
    with pytest.raises(BadCopy, match=r"damaged|cut off"):
        archive.unpack(io.BytesIO(big[: len(big) // 2]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"more": {"people.json": b"[]"}}, "people.json is not what was written: its SHA-256 differs"),
        ({"more": {"people.json": b"[1]"}}, "of another size"),
        ({"more": {"../../etc/passwd": b"root"}}, "which its manifest does not name"),
        ({"without": "people.json"}, "It lacks people.json"),
        ({"without": "manifest.json"}, "does not begin with a manifest"),
        ({"more": {"manifest.json": b"{}"}}, "Its manifest cannot be read"),
        ({"more": {"manifest.json": b'{"format": 2}'}}, "made by a newer release"),
    ],
)
def test_what_is_not_as_its_manifest_says_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(BadCopy, match=said):
        archive.unpack(io.BytesIO(repacked(copy(), **change)))  # type: ignore[arg-type]


def test_whatever_else_it_is_it_is_refused() -> None:
    for data in (b"", b"hello", gzip.compress(b""), gzip.compress(b"hello" * 1000)):
        with pytest.raises(BadCopy):
            archive.unpack(io.BytesIO(data))
        with pytest.raises(BadCopy):
            archive.read_manifest(io.BytesIO(data))


def test_a_copy_that_says_it_is_huge_is_not_unpacked() -> None:
    text = msgspec.json.decode(msgspec.json.encode(archive.read_manifest(io.BytesIO(copy()))))
    text["members"]["database.sqlite3"]["size_bytes"] = 1 << 39
    with pytest.raises(BadCopy, match="more than 512 MiB"):
        archive.unpack(io.BytesIO(repacked(copy(), more={"manifest.json": msgspec.json.encode(text)})))


def bomb(header: bytes) -> bytes:
    """A tar of a few kilobytes whose first header says that some GiB of zeros follow as its notes."""
    info = tarfile.TarInfo("notes")
    info.type, info.size = header, 3 << 30
    packer = zlib.compressobj(wbits=31)
    parts = [packer.compress(info.tobuf(tarfile.GNU_FORMAT))]
    parts += [packer.compress(bytes(1 << 20)) for _ in range(16)]
    return b"".join((*parts, packer.flush()))


@pytest.mark.parametrize("header", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize("read", [archive.read_manifest, archive.unpack])
def test_what_unpacks_to_gigabytes_takes_little_memory(
    read: Callable[[BinaryIO], object], header: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LONGEST_BYTES", 1 << 20)
    data = io.BytesIO(bomb(header))
    tracemalloc.start()
    try:
        with pytest.raises(BadCopy, match="more than a copy can hold"):
            read(data)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8 << 20


@pytest.mark.parametrize("made_at", ["2026-13-02T10:00:00Z", "2026-02-30T10:00:00Z", "2026-02-03T25:00:00Z"])
def test_a_moment_that_never_was_is_refused_with_the_manifest(made_at: str) -> None:
    report = msgspec.json.decode(msgspec.json.encode(archive.read_manifest(io.BytesIO(copy()))))
    text = msgspec.json.encode(report | {"made_at": made_at})
    with pytest.raises(BadCopy, match="Its manifest cannot be read"):
        archive.read_manifest(io.BytesIO(repacked(copy(), more={"manifest.json": text})))


def test_this_release_writes_the_format_it_reads() -> None:
    assert manifest().format == FORMAT


def test_what_commands_are_made_of_imports_nothing_of_ours() -> None:
    # Whichever module is loaded first: a circle would only show in a program of its own.
    assert not {name.split(".")[0] for name in (*imported(NAMES), *imported(PLACES))} & set(ROOMS)

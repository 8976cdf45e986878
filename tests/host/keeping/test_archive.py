"""A copy as a file: what was packed comes out again, and nothing else is believed."""

from __future__ import annotations

import gzip
import io
import tarfile

import msgspec
import pytest

from host.keeping import archive
from host.keeping.archive import BadCopy
from host.keeping.manifest import FORMAT
from tests.host.keeping.cases import copy, database, manifest
from tests.test_architecture import ROOMS, ROOT, imported

NAMES, PLACES = ROOT / "host/keeping/names.py", ROOT / "host/keeping/places.py"


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
    told, members = archive.unpack(io.BytesIO(data))
    assert members == {"database.sqlite3": database(), "people.json": b'{"people":[]}'}
    assert told.members["people.json"].size_bytes == 13
    assert msgspec.structs.replace(told, members={}) == manifest()
    assert archive.read_manifest(io.BytesIO(data)) == told


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
        ({"more": {"../../etc/passwd": b"root"}}, "which its manifest does not tell of"),
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


def test_this_release_writes_the_format_it_reads() -> None:
    assert manifest().format == FORMAT


def test_what_commands_are_made_of_imports_nothing_of_ours() -> None:
    # Whichever module is loaded first: a circle would only show in a program of its own.
    assert not {name.split(".")[0] for name in (*imported(NAMES), *imported(PLACES))} & set(ROOMS)

"""An open file goes to the console and to nobody else, once."""

from __future__ import annotations

import errno
import io
import os
import socket
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import pytest

from host.files import archive, opening
from host.files.handover import Handed, NotHanded, SocketDownloads
from host.files.opening import Unreachable
from host.programs import hand_out
from pools.files.download import CutOff, OpenDownload
from tests.host.files.bench import Datasets, root_at

TICKET = "0" * 32
_REAL_OPEN, _REAL_FDOPEN = os.open, os.fdopen


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has at most 107 bytes."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def listening(folder: Path) -> socket.socket:
    (folder / TICKET).mkdir()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    hand_out.listen(listener, folder / TICKET / "socket")
    return listener


def handing(folder: Path, listener: socket.socket, *names: bytes, uid: int, archive: bool = False) -> Thread:
    def run() -> None:
        with listener, root_at(folder) as root:
            hand_out.hand_out(root, names, listener, uid=uid, as_archive=archive)

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_a_file_is_handed_over_open_for_reading(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/files/b\xe4d")).write_bytes(b"content")
    listener = listening(tmp_path)
    assert (tmp_path / TICKET / "socket").stat().st_mode & 0o777 == 0o660
    thread = handing(tmp_path / "files", listener, b"b\xe4d", uid=os.getuid())
    handed, descriptor = SocketDownloads(tmp_path).collect(TICKET)
    thread.join()
    assert (handed.name, handed.size_bytes) == ("b%E4d", 7)
    assert os.read(descriptor, 100) == b"content"
    with pytest.raises(OSError):
        os.write(descriptor, b"x")
    os.close(descriptor)
    with pytest.raises(NotHanded):
        SocketDownloads(tmp_path).collect(TICKET)


def test_nobody_else_is_given_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_out, "_TIMEOUT_S", 0.2)
    (tmp_path / "secret").write_text("secret")
    listener = listening(tmp_path)
    thread = handing(tmp_path, listener, b"secret", uid=os.getuid() + 1)
    with pytest.raises(NotHanded):
        SocketDownloads(tmp_path).collect(TICKET)
    thread.join()


def test_a_folder_is_handed_over_as_it_is_packed(tmp_path: Path) -> None:
    top = tmp_path / "files"
    (top / "docs" / "deep").mkdir(parents=True)
    (top / "docs" / "deep" / "b.txt").write_bytes(b"b" * 100_000)
    (top / "docs" / "link").symlink_to("/etc/passwd")
    os.mkfifo(top / "docs" / "pipe")
    thread = handing(top, listening(tmp_path), b"docs", uid=os.getuid(), archive=True)
    handed, descriptor = SocketDownloads(tmp_path).collect(TICKET)
    with os.fdopen(descriptor, "rb") as file:
        data = file.read()
    thread.join()
    assert (handed.name, handed.size_bytes) == ("docs.tar", None)
    assert data.endswith(bytes.fromhex(handed.end))
    with tarfile.open(fileobj=io.BytesIO(data)) as packed:
        found = {member.name: member for member in packed}
        assert set(found) == {"docs", "docs/deep", "docs/deep/b.txt", "docs/link"}
        assert (found["docs/link"].linkname, found["docs/deep/b.txt"].size) == ("/etc/passwd", 100_000)


def test_the_program_refuses_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "live").mkdir()
    (tmp_path / "live" / "link").symlink_to("/etc/passwd")
    (tmp_path / TICKET).mkdir()
    options = ["--dataset=tank", "--for-user=root", f"--socket={tmp_path / TICKET / 'socket'}"]
    assert hand_out.main([*options, "--path=link"], root=Datasets(tmp_path)) == 3
    assert "no regular file" in capsys.readouterr().err


def test_what_cannot_be_read_is_listed_and_the_rest_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tmp_path / "files" / "docs"
    (top / "shut").mkdir(parents=True)
    for name in ("a.txt", "bad.txt", "broken.txt", "short.txt", "z.txt"):
        (top / name).write_bytes(name.encode() * 100)
    failing = {b"bad.txt": "open", b"broken.txt": "read", b"short.txt": "short"}
    monkeypatch.setattr("host.files.archive.os.open", lambda name, *a, **k: _open(failing, name, *a, **k))
    monkeypatch.setattr("host.files.archive.folder", _shut(opening.folder, b"shut"))
    monkeypatch.setattr(
        "host.files.archive.os.fdopen", lambda descriptor, mode: _Failing(descriptor, failing)
    )
    out = io.BytesIO()
    with root_at(tmp_path / "files") as root:
        archive.write(root, (b"docs",), out)
    with tarfile.open(fileobj=io.BytesIO(out.getvalue())) as found:
        members = {member.name: member for member in found}
        *_, last = members
        assert last == "docs - what could not be read.txt"
        listed = found.extractfile(members[last]).read().decode()  # type: ignore[union-attr]
        whole = found.extractfile(members["docs/z.txt"]).read()  # type: ignore[union-attr]
    assert whole == b"z.txt" * 100
    assert "docs/bad.txt" not in members
    assert members["docs/broken.txt"].size == 1000
    assert listed.splitlines() == [
        "Could not be read, and is missing or incomplete in this archive: 4",
        "",
        "docs/bad.txt: Input/output error",
        "docs/broken.txt: Input/output error",
        "docs/short.txt: It became shorter while it was read.",
        "docs/shut: It is shut.",
    ]


_NAMES: dict[int, bytes] = {}


def _open(failing: dict[bytes, str], name: Any, *arguments: Any, **more: Any) -> int:
    if failing.get(name) == "open":
        raise OSError(errno.EIO, "Input/output error")
    descriptor = _REAL_OPEN(name, *arguments, **more)
    _NAMES[descriptor] = name
    return descriptor


class _Failing(io.BytesIO):
    """A file that cannot be read to its end."""

    def __init__(self, descriptor: int, failing: dict[bytes, str]) -> None:
        with _REAL_FDOPEN(descriptor, "rb", closefd=False) as file:
            super().__init__(file.read())
        self._how = failing.get(_NAMES[descriptor])
        self._descriptor = descriptor

    def read(self, size: int | None = -1) -> bytes:
        if self._how == "read":
            raise OSError(errno.EIO, "Input/output error")
        return super().read(7 if self._how == "short" else size)

    def close(self) -> None:
        super().close()
        os.close(self._descriptor)


def _shut(real: Any, name: bytes) -> Any:
    @contextmanager
    def folder(root: Any, names: tuple[bytes, ...]) -> Iterator[int]:
        if names[-1:] == (name,):
            raise Unreachable("unreadable", "It is shut.")
        with real(root, names) as descriptor:
            yield descriptor

    return folder


@pytest.mark.parametrize("how", ["whole", "cut", "nothing"])
def test_an_archive_that_ends_early_breaks_whoever_reads_it(tmp_path: Path, how: str) -> None:
    end = "ab" * 16
    data = b"\0" * 100_000
    written = {"whole": data + bytes.fromhex(end), "cut": data + bytes.fromhex(end)[:-1], "nothing": b""}
    reading, writing = os.pipe()
    thread = Thread(target=lambda: _fill(writing, written[how]))
    thread.start()
    download = OpenDownload(reading, Handed(name="docs.tar", end=end))
    chunks = iter(lambda: download.read(4096), b"")
    if how == "whole":
        assert b"".join(chunks) == data
    else:
        with pytest.raises(CutOff):
            list(chunks)
    thread.join()
    download._holds_slot = False
    download.close()


def _fill(descriptor: int, data: bytes) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def test_a_program_that_cannot_write_the_archive_writes_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "files" / "docs").mkdir(parents=True)
    monkeypatch.setattr("host.files.archive.write", _give_up)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    thread = handing(tmp_path / "files", listening(tmp_path), b"docs", uid=os.getuid(), archive=True)
    handed, descriptor = SocketDownloads(tmp_path).collect(TICKET)
    with os.fdopen(descriptor, "rb") as file:
        data = file.read()
    thread.join()
    assert len(handed.end) == 32
    assert not data.endswith(bytes.fromhex(handed.end))


def _give_up(*_: Any) -> int:
    raise OSError(errno.EIO, "Input/output error")

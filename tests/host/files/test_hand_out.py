"""An open file goes to the console and to nobody else, once."""

from __future__ import annotations

import io
import os
import socket
import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from host.files.handover import NotHanded, SocketDownloads
from host.programs import hand_out
from tests.host.files.bench import Datasets, root_at

TICKET = "0" * 32


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
    monkeypatch.setattr(hand_out, "_PATIENCE_S", 0.2)
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
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        found = {member.name: member for member in archive}
        assert set(found) == {"docs", "docs/deep", "docs/deep/b.txt", "docs/link"}
        assert (found["docs/link"].linkname, found["docs/deep/b.txt"].size) == ("/etc/passwd", 100_000)


def test_the_program_refuses_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "live").mkdir()
    (tmp_path / "live" / "link").symlink_to("/etc/passwd")
    (tmp_path / TICKET).mkdir()
    options = ["--dataset=tank", "--for-user=root", f"--socket={tmp_path / TICKET / 'socket'}"]
    assert hand_out.main([*options, "--path=link"], root=Datasets(tmp_path)) == 3
    assert "no regular file" in capsys.readouterr().err

"""The program that makes files talks to the console alone, as one person, and ends when nobody sends."""

from __future__ import annotations

import os
import pwd
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from host.files.receiving import MakeFolder, NotRunning, Received, See, SocketUploads, UploadRefused
from host.programs import hand_out
from host.programs.uploads import acting, forget, receive
from host.programs.uploads.acting import Identity, NotAPerson, identity
from tests.host.files.bench import Datasets, inside, root_at

TICKET = "0" * 32


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has at most 107 bytes."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


@contextmanager
def serving(folder: Path, *, uid: int) -> Iterator[SocketUploads]:
    """The program's loop in a thread, on the dataset `folder/live`."""
    (folder / "live").mkdir(exist_ok=True)
    (folder / TICKET).mkdir()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    hand_out.listen(listener, folder / TICKET / "socket", waiting=receive._MOST_WAITING)

    def run() -> None:
        with listener, root_at(folder / "live") as root:
            receive.serve(root, listener, uid=uid)

    thread = Thread(target=run, daemon=True)
    thread.start()
    yield SocketUploads(folder)
    thread.join()


@pytest.fixture(autouse=True)
def soon_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receive, "_IDLE_S", 0.3)


def test_each_message_is_answered_until_nobody_sends_any_more(tmp_path: Path) -> None:
    with serving(tmp_path, uid=os.getuid()) as receivers:
        assert receivers.call(TICKET, MakeFolder(folder="", name="new")) == Received(name="new")
        with pytest.raises(UploadRefused) as refused:
            receivers.call(TICKET, See(upload="ab" * 16, folder="new"))
        assert refused.value.why.code == "gone"
    assert inside(tmp_path / "live") == ["new"]
    with pytest.raises(NotRunning):
        SocketUploads(tmp_path).call(TICKET, MakeFolder(folder="", name="late"))


def test_many_are_answered_one_after_the_other(tmp_path: Path) -> None:
    names = [f"folder {number}" for number in range(32)]
    with serving(tmp_path, uid=os.getuid()) as receivers, ThreadPoolExecutor(32) as threads:
        made = list(
            threads.map(lambda name: receivers.call(TICKET, MakeFolder(folder="", name=name)).name, names)
        )
    assert made == names
    assert inside(tmp_path / "live") == sorted(names)


def test_what_takes_too_long_is_not_asked_for_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.files.receiving._ANSWER_S", 0.1)
    (tmp_path / TICKET).mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        hand_out.listen(listener, tmp_path / TICKET / "socket")
        with pytest.raises(UploadRefused) as refused:
            SocketUploads(tmp_path).call(TICKET, MakeFolder(folder="", name="slow"))
    assert refused.value.why.code == "slow"


def test_nobody_but_the_console_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path, uid=os.getuid() + 1) as receivers, pytest.raises(NotRunning):
        receivers.call(TICKET, MakeFolder(folder="", name="new"))
    assert inside(tmp_path / "live") == []


@pytest.mark.parametrize("sent", [b"", b"{}\n", b"\xff\xff\n", b'{"type":"Rm","folder":""}\n', b"x" * 70_000])
def test_what_is_no_message_is_no_end(tmp_path: Path, sent: bytes) -> None:
    with serving(tmp_path, uid=os.getuid()) as receivers:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(tmp_path / TICKET / "socket"))
            connection.sendall(sent)
        assert receivers.call(TICKET, MakeFolder(folder="", name="new")).name == "new"


def account(monkeypatch: pytest.MonkeyPatch, uid: int, gid: int, groups: list[int]) -> None:
    known = {"anna": SimpleNamespace(pw_uid=uid, pw_gid=gid), "nasweb": SimpleNamespace(pw_uid=os.getuid())}
    monkeypatch.setattr(pwd, "getpwnam", known.__getitem__)
    monkeypatch.setattr(os, "getgrouplist", lambda name, first: [first, *groups])


def test_a_person_keeps_the_groups_of_people_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    account(monkeypatch, 30_001, 29_999, [0, 4, 6, 27, 100, 35_002, 35_001])
    assert identity("anna") == Identity(30_001, 29_999, (29_999, 35_001, 35_002))
    account(monkeypatch, 30_001, 0, [])
    assert identity("anna") == Identity(30_001, 29_999, (29_999,))


@pytest.mark.parametrize("uid", [0, 1, 33, 999, 1000, 29_999, 35_000, 65_534])
def test_no_account_of_the_system_is_a_person(monkeypatch: pytest.MonkeyPatch, uid: int) -> None:
    account(monkeypatch, uid, 29_999, [])
    with pytest.raises(NotAPerson, match="system account"):
        identity("anna")
    with pytest.raises(NotAPerson, match="no NAS user called bert"):
        identity("bert")


def test_every_right_of_root_is_given_up_groups_first(monkeypatch: pytest.MonkeyPatch) -> None:
    did: list[tuple[Any, ...]] = []
    for name in ("setgroups", "setresgid", "setresuid", "umask"):
        monkeypatch.setattr(os, name, lambda *values, name=name: did.append((name, *values)))
    monkeypatch.setattr(os, "getresuid", lambda: (30_001,) * 3)
    monkeypatch.setattr(os, "getresgid", lambda: (29_999,) * 3)
    acting.become(Identity(30_001, 29_999, (29_999, 35_001)))
    assert did == [
        ("setgroups", (29_999, 35_001)),
        ("setresgid", 29_999, 29_999, 29_999),
        ("setresuid", 30_001, 30_001, 30_001),
        ("umask", 0o002),
    ]
    monkeypatch.setattr(os, "getresuid", lambda: (30_001, 30_001, 0))
    with pytest.raises(PermissionError):
        acting.become(Identity(30_001, 29_999, ()))


def test_the_program_is_the_person_before_it_listens_to_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account(monkeypatch, 30_001, 29_999, [])
    (tmp_path / "live").mkdir()
    (tmp_path / TICKET).mkdir()
    became: list[Identity] = []
    monkeypatch.setattr(receive, "ready", lambda: became.append(became[-1]))
    options = [f"--socket={tmp_path / TICKET / 'socket'}", "--dataset=tank", "--person=anna"]
    assert receive.main(options, root=Datasets(tmp_path), turn_into=became.append) == 0
    assert became == [Identity(30_001, 29_999, (29_999,))] * 2


def test_the_program_refuses_whoever_is_no_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    account(monkeypatch, 0, 0, [])
    options = [f"--socket={tmp_path / 'socket'}", "--dataset=tank", "--person=anna"]
    assert receive.main(options, root=Datasets(tmp_path)) == 3
    assert "system account" in capsys.readouterr().err
    assert not (tmp_path / "socket").exists()


def forgets(tmp_path: Path, folder: str, upload: str = "ab" * 16) -> int:
    options = ["--dataset=tank", f"--folder={folder}", f"--upload={upload}"]
    return forget.main(options, root=Datasets(tmp_path))


def test_what_nobody_finished_is_removed_if_it_is_a_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "live" / "docs" / f".nasweb-upload-{'ab' * 16}"
    left.parent.mkdir(parents=True)
    left.write_text("half")
    monkeypatch.setattr(forget, "FIRST_PERSON", os.getuid() + 1)
    assert forgets(tmp_path, "docs") == 0 and left.exists()
    monkeypatch.setattr(forget, "FIRST_PERSON", os.getuid())
    assert forgets(tmp_path, "docs") == 0 and not left.exists()
    left.symlink_to("/etc/passwd")
    assert forgets(tmp_path, "docs") == 0 and left.is_symlink()
    assert forgets(tmp_path, "gone") == 0
    assert forgets(tmp_path, "../etc") == 3

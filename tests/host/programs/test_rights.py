"""Rights are set on what lies in a folder, whatever stands in the way, and on nothing else."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.files import acl
from host.files.answers import Applied, FileProblem, FolderRights
from host.programs import apply_rights, rights
from tests.host.files.bench import Datasets

ID = "0123456789abcdef"
LIST = "user::rwx,user:30000:rwx,group::r-x,mask::rwx,other::---"
FILES = "user::rw-,user:30000:rw-,group::r--,mask::rw-,other::---"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A dataset with files, a program, a link that leads out, and a FIFO."""
    live = tmp_path / "live"
    (live / "docs" / "deep").mkdir(parents=True)
    (live / ".zfs").mkdir()
    (live / "docs" / "a.txt").write_text("a")
    (live / "docs" / "deep" / "run.sh").write_text("#!/bin/sh\n")
    (live / "docs" / "deep" / "run.sh").chmod(0o750)
    (live / "docs" / "deep" / ".zfs").write_text("no snapshots here")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "passwd").write_text("x")
    (live / "docs" / "out").symlink_to(tmp_path / "outside")
    (live / "docs" / "file-out").symlink_to(tmp_path / "outside" / "passwd")
    os.mkfifo(live / "docs" / "fifo")
    (tmp_path / "reports").mkdir()
    return tmp_path


class After:
    """Someone asks for the end after so many entries."""

    def __init__(self, count: int) -> None:
        self.left = count

    def asked(self) -> bool:
        self.left -= 1
        return self.left < 0


def run(home: Path, path: str = "", *, text: str = LIST, entries: int = 1000) -> tuple[int, list[str]]:
    said: list[str] = []
    status = apply_rights.main(
        [f"--run={ID}", "--dataset=tank/home", f"--path={path}", f"--acl={text}",
         f"--reports={home / 'reports'}"],
        root=Datasets(home), stop=After(entries), say_ready=lambda: said.append("ready"),
    )  # fmt: skip
    return status, said


def reported(home: Path) -> Applied:
    return msgspec.json.decode((home / "reports" / f"{ID}.json").read_bytes(), type=Applied)


def listed(path: Path, attribute: str = acl.ACCESS) -> str | None:
    try:
        return acl.text(acl.decoded(os.getxattr(path, attribute, follow_symlinks=False)))
    except OSError:
        return None


def test_folders_files_and_programs_have_what_is_theirs(home: Path) -> None:
    assert run(home) == (0, ["ready"])
    live = home / "live"
    for folder in (live, live / "docs", live / "docs" / "deep"):
        assert (listed(folder), listed(folder, acl.DEFAULT)) == (LIST, LIST)
    assert listed(live / "docs" / "a.txt") == FILES
    assert listed(live / "docs" / "deep" / "run.sh") == LIST
    assert listed(live / "docs" / "deep" / ".zfs") == FILES
    report = reported(home)
    assert (report.verdict, report.folders, report.files, report.skipped, report.unset) == (
        "done",
        3,
        3,
        3,
        0,
    )


def test_nothing_outside_is_touched(home: Path) -> None:
    run(home)
    for path in (home / "outside", home / "outside" / "passwd", home, home / "live" / ".zfs"):
        assert listed(path) is None


def test_only_the_folder_that_is_named_is_entered(home: Path) -> None:
    run(home, "docs/deep")
    assert listed(home / "live" / "docs" / "deep") == LIST
    assert listed(home / "live" / "docs") is None
    assert listed(home / "live" / "docs" / "a.txt") is None


def test_it_is_stopped_between_two_files(home: Path) -> None:
    assert run(home, entries=1)[0] == 0
    report = reported(home)
    assert (report.verdict, report.folders) == ("stopped", 1)
    assert listed(home / "live" / "docs") is None
    assert "stays so" in report.words


def test_what_refuses_is_named_and_the_rest_goes_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.setxattr

    def refusing(path: Any, attribute: Any, value: bytes, *rest: Any, **more: Any) -> None:
        if Path(path).readlink().name == "a.txt":
            raise PermissionError(1, "Operation not permitted")
        real(path, attribute, value, *rest, **more)

    monkeypatch.setattr(os, "setxattr", refusing)
    assert run(home)[0] == 0
    report = reported(home)
    assert (report.verdict, report.unset, report.files) == ("failed", 1, 2)
    assert [(one.path, one.why) for one in report.first_unset] == [("docs/a.txt", "Operation not permitted.")]
    assert report.words == "1 could not be set; all others are."


@pytest.mark.parametrize("path", ["gone", "docs/a.txt", "docs/out", "../outside", ".zfs"])
def test_to_end_before_ready_is_to_refuse(home: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(home, path) == (rights.REFUSED, [])
    assert capsys.readouterr().err.count("\n") == 1
    assert list((home / "reports").iterdir()) == []


def direct(home: Path, *arguments: str) -> int:
    return rights.main([*arguments, "--dataset=tank/home"], root=Datasets(home))


def test_what_is_set_is_read_back(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = (f"--owner={os.getuid()}", f"--group={os.getgid()}")
    assert direct(home, "set", "--path=docs", f"--acl={LIST}", *mine) == 0
    assert direct(home, "read", "--path=docs") == 0
    answer = msgspec.json.decode(capsys.readouterr().out, type=FolderRights)
    assert answer == FolderRights(owner=os.getuid(), group=os.getgid(), access=LIST, default=LIST)
    assert listed(home / "live" / "docs" / "deep") is None


def test_without_a_list_the_permission_bits_are_reported(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "live" / "docs").chmod(0o751)
    direct(home, "read", "--path=docs")
    answer = msgspec.json.decode(capsys.readouterr().out, type=FolderRights)
    assert (answer.access, answer.default) == ("user::rwx,group::r-x,other::--x", None)


@pytest.mark.parametrize("path", ["gone", "docs/out", "docs/a.txt", "../outside"])
def test_a_folder_that_is_none_is_reported(home: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert direct(home, "read", f"--path={path}") == 0
    assert msgspec.json.decode(capsys.readouterr().out, type=FileProblem).message
    assert direct(home, "set", f"--path={path}", f"--acl={LIST}") == rights.REFUSED
    assert capsys.readouterr().err.endswith("\n")


def test_what_is_no_list_sets_nothing(home: Path) -> None:
    assert direct(home, "set", "--acl=user::rwx") == rights.REFUSED
    assert listed(home / "live") is None


def test_a_folder_that_takes_no_list_keeps_its_owner(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    owned: list[tuple[int, int]] = []

    def refuse(*_: Any) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "setxattr", refuse)
    monkeypatch.setattr(os, "chown", lambda _path, owner, group: owned.append((owner, group)))
    assert direct(home, "set", "--path=docs", f"--acl={LIST}", "--owner=7", "--group=8") == rights.REFUSED
    assert (owned, capsys.readouterr().err) == ([], "Operation not supported.\n")

"""Files and folders are made whole, under their own name, and nowhere but in the folder that was said."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.files import acl, arriving
from host.files.receiving import (
    Abandon,
    Append,
    Begin,
    Existing,
    Finish,
    MakeFolder,
    Message,
    Received,
    See,
    UploadRefused,
)
from tests.host.files.bench import inside, root_at

UPLOAD = "ab" * 16
UNFINISHED = f".nasweb-upload-{UPLOAD}"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    path = tmp_path / "dataset"
    (path / "docs").mkdir(parents=True)
    return path


def do(top: Path, message: Message, data: bytes = b"") -> Received:
    with root_at(top) as root:
        return arriving.carry_out(root, message, data)


def code(top: Path, message: Message, data: bytes = b"") -> str:
    with pytest.raises(UploadRefused) as refused:
        do(top, message, data)
    return refused.value.why.code


def begin(size: int, *, name: str = "a.txt", existing: Existing = "refuse", folder: str = "docs") -> Begin:
    return Begin(upload=UPLOAD, folder=folder, name=name, size_bytes=size, existing=existing)


def append(offset: int, data: bytes, *, size: int = 10) -> Append:
    digest = hashlib.sha256(data).hexdigest()
    return Append(
        upload=UPLOAD, folder="docs", size_bytes=size, offset=offset, length=len(data), sha256=digest
    )


def finish(size: int, *, name: str = "a.txt", existing: Existing = "refuse") -> Finish:
    return Finish(upload=UPLOAD, folder="docs", name=name, size_bytes=size, existing=existing)


def sent(top: Path, data: bytes, *, name: str = "a.txt", existing: Existing = "refuse") -> str:
    """The name of a whole upload."""
    do(top, begin(len(data), name=name, existing=existing))
    if data:
        do(top, append(0, data, size=len(data)), data)
    return do(top, finish(len(data), name=name, existing=existing)).name


def test_a_file_gets_its_name_once_it_is_whole(top: Path) -> None:
    do(top, begin(10))
    assert inside(top / "docs") == [UNFINISHED]
    assert do(top, append(0, b"01234"), b"01234").offset == 5
    assert do(top, See(upload=UPLOAD, folder="docs")).offset == 5
    assert do(top, append(5, b"56789"), b"56789").offset == 10
    assert do(top, finish(10)) == Received(offset=10, name="a.txt")
    assert inside(top / "docs") == ["a.txt"]
    assert (top / "docs" / "a.txt").read_bytes() == b"0123456789"
    assert (top / "docs" / "a.txt").stat().st_mode & 0o7000 == 0


def test_an_empty_file_is_whole_at_once(top: Path) -> None:
    assert sent(top, b"") == "a.txt"
    assert (top / "docs" / "a.txt").read_bytes() == b""


def test_bytes_that_changed_or_do_not_follow_are_refused(top: Path) -> None:
    do(top, begin(10))
    assert code(top, append(0, b"01234"), b"0123x") == "damaged"
    assert code(top, append(0, b"01234"), b"012") == "damaged"
    assert code(top, append(3, b"01234"), b"01234") == "wrong-offset"
    do(top, append(0, b"01234"), b"01234")
    assert code(top, append(0, b"01234"), b"01234") == "wrong-offset"
    assert do(top, See(upload=UPLOAD, folder="docs")).offset == 5


def test_a_size_that_was_a_lie_is_refused_at_both_ends(top: Path) -> None:
    do(top, begin(3))
    assert code(top, append(0, b"0123", size=3), b"0123") == "too-large"
    do(top, append(0, b"01", size=3), b"01")
    assert code(top, finish(3)) == "incomplete"
    assert inside(top / "docs") == [UNFINISHED]


def test_more_than_is_free_is_not_begun(top: Path) -> None:
    assert code(top, begin(1 << 60)) == "no-space"
    assert inside(top / "docs") == []


def test_what_is_there_stays_unless_it_was_said_otherwise(top: Path) -> None:
    (top / "docs" / "a.txt").write_text("old")
    assert code(top, begin(3)) == "exists"
    assert sent(top, b"two", existing="rename") == "a (2).txt"
    assert sent(top, b"three", existing="rename") == "a (3).txt"
    assert (top / "docs" / "a.txt").read_text() == "old"
    assert sent(top, b"new", existing="replace") == "a.txt"
    assert (top / "docs" / "a.txt").read_text() == "new"


def test_a_name_that_was_taken_meanwhile_is_no_loss(top: Path) -> None:
    do(top, begin(0))
    (top / "docs" / "a.txt").write_text("came meanwhile")
    assert code(top, finish(0)) == "exists"
    assert do(top, finish(0, existing="rename")).name == "a (2).txt"
    assert (top / "docs" / "a.txt").read_text() == "came meanwhile"


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_only_files_are_replaced(top: Path, kind: str) -> None:
    target = top / "docs" / "a.txt"
    make: dict[str, Callable[[], Any]] = {
        "folder": target.mkdir,
        "link": lambda: target.symlink_to("/etc/passwd"),
        "pipe": lambda: os.mkfifo(target),
    }
    make[kind]()
    assert code(top, begin(0, existing="replace")) == "not-replaceable"


@pytest.mark.parametrize(("name", "longest"), [("a" * 251 + ".txt", 255), ("ü" * 125 + ".txt", 255)])
def test_a_second_copy_of_a_long_name_fits(top: Path, name: str, longest: int) -> None:
    (top / "docs" / name).write_text("old")
    made = sent(top, b"new", name=name, existing="rename")
    assert made.endswith(" (2).txt") and len(made.encode()) <= longest


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "..", "a/b", "../a", "a%2Fb", "a%00b", "a\0b", "a\nb", "a%0Ab", "b%E4d", "a%", "x" * 256,
        UNFINISHED,
    ],
)  # fmt: skip
def test_names_that_lead_elsewhere_or_cannot_be_read_are_refused(top: Path, name: str) -> None:
    assert code(top, MakeFolder(folder="docs", name=name)) == "bad-name"
    assert code(top, begin(0, name=name)) == "bad-name"
    assert inside(top / "docs") == []


def test_nothing_is_made_in_the_folder_of_snapshots(top: Path) -> None:
    (top / ".zfs").mkdir()
    assert code(top, MakeFolder(folder=".zfs", name="a")) == "bad-path"
    assert code(top, MakeFolder(folder="", name=".zfs")) == "bad-name"


def test_names_with_a_leading_dot_or_a_percent_sign_are_names(top: Path) -> None:
    do(top, MakeFolder(folder="", name=".config"))
    do(top, MakeFolder(folder=".config", name="100%25"))
    assert inside(top / ".config") == ["100%"]


@pytest.mark.parametrize("folder", ["..", "docs/..", "/etc", "docs//x", "%2e%2e"])
def test_paths_that_lead_out_are_refused(top: Path, folder: str) -> None:
    assert code(top, MakeFolder(folder=folder, name="a")) == "bad-path"


def test_links_are_not_followed(top: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (top / "out").symlink_to(tmp_path / "outside")
    assert code(top, MakeFolder(folder="out", name="a")) == "not-a-folder"
    assert code(top, MakeFolder(folder="out/deeper", name="a")) == "outside"
    assert inside(tmp_path / "outside") == []


def test_a_link_in_the_place_of_what_arrives_is_not_written_through(top: Path, tmp_path: Path) -> None:
    do(top, begin(10))
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (top / "docs" / UNFINISHED).unlink()
    (top / "docs" / UNFINISHED).symlink_to(secret)
    assert code(top, append(0, b"01234"), b"01234") == "gone"
    (top / "docs" / UNFINISHED).unlink()
    os.mkfifo(top / "docs" / UNFINISHED)
    assert code(top, append(0, b"01234"), b"01234") == "gone"
    assert secret.read_text() == "secret"


def test_the_file_of_somebody_else_is_not_written_to(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    do(top, begin(10))
    monkeypatch.setattr("host.files.arriving.os.geteuid", lambda: os.getuid() + 1)
    assert code(top, append(0, b"01234"), b"01234") == "gone"


def test_another_file_system_below_is_not_entered(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with root_at(top) as root:
        elsewhere = root._replace(device=root.device + 1)
        with pytest.raises(UploadRefused) as refused:
            arriving.carry_out(elsewhere, MakeFolder(folder="docs", name="a"))
    assert refused.value.why.code == "outside"


def test_a_folder_is_made_once(top: Path) -> None:
    assert do(top, MakeFolder(folder="docs", name="new")).name == "new"
    assert (top / "docs" / "new").is_dir()
    assert code(top, MakeFolder(folder="docs", name="new")) == "exists"
    assert code(top, MakeFolder(folder="gone", name="new")) == "not-found"


def test_what_is_put_into_a_drop_box_is_its_owners_alone(top: Path) -> None:
    listed = acl.encoded(acl.parse("user::rwx,user:30000:rwx,group::rwx,mask::rwx,other::r-x"))
    os.setxattr(top / "docs", acl.DEFAULT, listed)
    do(top, MakeFolder(folder="docs", name="inner", private=True))
    do(top, msgspec.structs.replace(begin(1), private=True))
    do(top, append(0, b"0", size=1), b"0")
    do(top, finish(1))
    found = {name: stat.S_IMODE((top / "docs" / name).stat().st_mode) for name in ("inner", "a.txt")}
    assert found == {"inner": 0o700, "a.txt": 0o600}


def test_what_was_abandoned_is_gone(top: Path) -> None:
    do(top, begin(10))
    do(top, Abandon(upload=UPLOAD, folder="docs"))
    assert inside(top / "docs") == []
    do(top, Abandon(upload=UPLOAD, folder="docs"))
    assert code(top, See(upload=UPLOAD, folder="docs")) == "gone"


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "no-space"), (errno.EDQUOT, "not-written"), (errno.EACCES, "not-allowed")],
)
def test_half_of_a_message_is_taken_back(
    top: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    do(top, begin(10))
    real = os.pwrite
    calls: list[int] = []

    def write(file: int, data: Any, offset: int) -> int:
        if calls:
            raise OSError(number, "no")
        calls.append(offset)
        return real(file, bytes(data)[:2], offset)

    monkeypatch.setattr("host.files.arriving.os.pwrite", write)
    assert code(top, append(0, b"01234"), b"01234") == said
    assert (top / "docs" / UNFINISHED).stat().st_size == 0

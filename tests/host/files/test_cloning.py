"""Files that get each other's blocks: only where nothing changes, and nobody has them open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from host.files import cloning
from host.files.cloning import NotShared, Stopped, share
from host.files.opening import Root
from host.programs.clones import __main__ as clones

_NOW = 1_700_000_000_000_000_000


def never() -> bool:
    return False


class Cloned:
    """What FICLONE was asked for: this machine's own file system cannot do it."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, _kept: int, other: int) -> None:
        self.asked += 1
        os.utime(other)  # as any write does


@contextmanager
def both(folder: Path, one: bytes, other: bytes) -> Iterator[tuple[int, int]]:
    (folder / "a").write_bytes(one)
    (folder / "b").write_bytes(other)
    os.utime(folder / "b", ns=(_NOW, _NOW))
    kept, changed = os.open(folder / "a", os.O_RDONLY), os.open(folder / "b", os.O_RDWR)
    try:
        yield kept, changed
    finally:
        os.close(kept)
        os.close(changed)


def test_a_file_with_the_same_bytes_keeps_its_times(tmp_path: Path) -> None:
    clone = Cloned()
    with both(tmp_path, b"x" * 3_000_000, b"x" * 3_000_000) as (kept, other):
        assert share(kept, other, never, clone=clone) == 3_000_000
    assert clone.asked == 1
    assert (tmp_path / "b").stat().st_mtime_ns == _NOW


@pytest.mark.parametrize(
    ("other", "why"), [(b"xy", "another size"), (b"x" * 2_999_999 + b"y", "another content")]
)
def test_what_differs_stays(tmp_path: Path, other: bytes, why: str) -> None:
    clone = Cloned()
    with both(tmp_path, b"x" * 3_000_000, other) as (kept, changed), pytest.raises(NotShared, match=why):
        share(kept, changed, never, clone=clone)
    assert clone.asked == 0 and (tmp_path / "b").read_bytes() == other


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY])
def test_what_somebody_has_open_stays(tmp_path: Path, flags: int) -> None:
    with both(tmp_path, b"x", b"x") as (kept, other):
        descriptor = os.open(tmp_path / "b", flags)
        with pytest.raises(NotShared, match="has it open"):
            share(kept, other, never, clone=Cloned())
        os.close(descriptor)


def test_a_file_that_is_written_to_is_copied_from_by_nobody(tmp_path: Path) -> None:
    with both(tmp_path, b"x", b"x") as (kept, other):
        descriptor = os.open(tmp_path / "a", os.O_WRONLY)
        with pytest.raises(NotShared, match="has it open"):
            share(kept, other, never, clone=Cloned())
        os.close(descriptor)


@pytest.mark.parametrize(("name", "flags"), [("b", os.O_RDONLY), ("a", os.O_WRONLY)])
def test_somebody_who_opens_one_while_they_are_compared_ends_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, flags: int
) -> None:
    clone, pieces = Cloned(), list[int]()

    def read(descriptor: int, size: int, at: int) -> bytes:
        pieces.append(at)
        if len(pieces) == 2:  # after the first piece of both
            with pytest.raises(BlockingIOError):
                os.open(tmp_path / name, flags | os.O_NONBLOCK)
        return pread(descriptor, size, at)

    pread = os.pread
    monkeypatch.setattr(os, "pread", read)
    content = b"x" * (20 << 20)
    with both(tmp_path, content, content) as (kept, other), pytest.raises(NotShared, match="just opened"):
        share(kept, other, never, clone=clone)
    assert clone.asked == 0
    assert len(pieces) < 5, "whoever waits has it at once"


def test_a_link_to_itself_a_program_with_rights_and_a_stop(tmp_path: Path) -> None:
    with both(tmp_path, b"x", b"x") as (kept, other):
        os.fchmod(other, 0o4755)
        with pytest.raises(NotShared, match="rights of its own"):
            share(kept, other, never, clone=Cloned())
        os.fchmod(other, 0o644)
        with pytest.raises(Stopped):
            share(kept, other, lambda: True, clone=Cloned())
        os.link(tmp_path / "b", tmp_path / "c")
        same = os.open(tmp_path / "c", os.O_RDONLY)
        with pytest.raises(NotShared, match="the same file"):
            share(same, other, never, clone=Cloned())
        os.close(same)


def test_a_file_system_that_cannot_clone_is_said(tmp_path: Path) -> None:
    with (
        both(tmp_path, b"x", b"x") as (kept, other),
        pytest.raises(NotShared, match=r"cannot clone|record size"),
    ):
        share(kept, other, never)


def test_the_program_says_what_became_of_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in (("a", b"x" * 10), ("b", b"x" * 10), ("c", b"y" * 10)):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "link").symlink_to("b")
    monkeypatch.setattr(cloning, "_clone", Cloned())

    @contextmanager
    def root(_dataset: str, _tag: str | None) -> Iterator[Root]:
        descriptor = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield Root(descriptor, os.fstat(descriptor).st_dev)
        finally:
            os.close(descriptor)

    wanted = [f"--path={name}" for name in ("b", "c", "link", "none")]
    assert clones.main(["--dataset=tank/a", "--kept=a", *wanted], root=root) == 0
    assert [line.split(" ", 2)[0] for line in capsys.readouterr().out.splitlines()] == [
        "b",
        "c",
        "link",
        "none",
    ]
    assert clones.main(["--dataset=tank/a", "--kept=a", "--path=c"], root=root) == 3
    assert "another content" in capsys.readouterr().err

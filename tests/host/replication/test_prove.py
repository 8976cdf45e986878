"""A sample of a replica's files, compared with its snapshot; folders stand for snapshots."""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.commands.replication.task import Task
from host.programs.replicate import frozen as reading
from host.programs.replicate.frozen import digest, files_below
from host.programs.replicate.prove import Proving
from host.programs.replicate.reading import Here, Whole
from host.programs.report import Report
from host.replication.proof import Proof, Proven, sample, verdict_of
from host.replication.sides import Member, Point

TASK = Task(id="0" * 16, source="tank/x", root="b", target="b/x")
_POINT = Point(name="one", guid="7", createtxg=1)


class Side:
    """What lies there, without a machine."""

    elsewhere = False

    def __init__(self, *members: Member) -> None:
        self._members = members

    def tree(self, _name: str) -> dict[str, Member]:
        return {member.name: member for member in self._members}


class Folders:
    """Two folders in the place of snapshots."""

    def __init__(self, base: Path) -> None:
        self.source, self.replica = base / "s", base / "r"
        for folder in (self.source, self.replica):
            (folder / "deep" / "er").mkdir(parents=True)
        self.fails: dict[str, int] = {}

    def write(self, path: str, content: bytes, *, copy: bytes | None = None) -> None:
        (self.source / path).write_bytes(content)
        (self.replica / path).write_bytes(content if copy is None else copy)

    @contextmanager
    def opened(self, _side: object, snapshot: str) -> Iterator[Here]:
        if number := self.fails.get(snapshot):
            raise OSError(number, os.strerror(number))
        folder = self.replica if snapshot.startswith("b/") else self.source
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield Here(descriptor)
        finally:
            os.close(descriptor)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    found = Folders(tmp_path)
    for number in range(30):
        found.write(f"deep/er/file{number}", os.urandom(500))
    return found


def prove(folders: Folders, tmp_path: Path, *, stop: bool = False, **changes: Any) -> Proof:
    replica: dict[str, Any] = {"name": "b/x", "guid": "2", "kind": "filesystem", "snapshots": (_POINT,)}
    here = Member(name="tank/x", guid="1", kind=changes.get("kind", "filesystem"), snapshots=(_POINT,))
    report = Report(
        tmp_path / "proof.json", lambda moment: Proof(task="0", started_at=moment, updated_at=moment),
        clock=lambda: 0.0,
    )  # fmt: skip
    Proving(
        TASK, Side(here), Side(Member(**(replica | changes))), report,  # type: ignore[arg-type]
        opened=folders.opened, asked_to_stop=lambda: stop, chance=random.Random(4),
    ).carry_out()  # fmt: skip
    return report.content


def test_the_same_files_are_the_same(folders: Folders, tmp_path: Path) -> None:
    found = prove(folders, tmp_path)
    assert found.verdict == "same"
    (one,) = found.datasets
    assert (one.result, one.files, one.size_bytes, one.snapshot) == ("same", 30, 15_000, "one")


@pytest.mark.parametrize("how", ["other", "gone", "longer", "link", "folder"])
def test_one_file_that_differs_is_found(folders: Folders, tmp_path: Path, how: str) -> None:
    file = folders.replica / "deep/er/file7"
    if how == "other":
        file.write_bytes(os.urandom(500))
    elif how == "longer":
        file.write_bytes(file.read_bytes() + b"x")
    else:
        file.unlink()
    if how == "link":
        file.symlink_to(folders.source / "deep/er/file7")  # the same content, but no file
    if how == "folder":
        file.mkdir()
    found = prove(folders, tmp_path)
    assert (found.verdict, found.datasets[0].different) == ("different", ("deep/er/file7",))


def test_what_is_locked_or_cannot_be_mounted_is_no_difference(folders: Folders, tmp_path: Path) -> None:
    folders.fails["b/x@one"] = errno.EACCES
    assert prove(folders, tmp_path).datasets[0].result == "locked"
    folders.fails["b/x@one"] = errno.EIO
    found = prove(folders, tmp_path)
    assert (found.datasets[0].result, found.verdict) == ("unreachable", "nothing")


def test_without_a_common_snapshot_or_of_a_volume_nothing_is_compared(
    folders: Folders, tmp_path: Path
) -> None:
    assert prove(folders, tmp_path, snapshots=()).datasets[0].said == "No snapshot is on both sides now."
    assert prove(folders, tmp_path, kind="volume").datasets[0].result == "volume"


def test_it_stops_when_asked_to(folders: Folders, tmp_path: Path) -> None:
    assert prove(folders, tmp_path, stop=True).verdict == "stopped"


def test_links_lead_nowhere_and_pipes_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "folder").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe")
    root = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        assert list(files_below(root, 100)) == [(b"file",)]
        assert digest(root, (b"pipe",), 1) is None and digest(root, (b"none",), 1) is None
        with pytest.raises(OSError, match="Too many levels"):
            digest(root, (b"link",), 1)
        assert digest(root, (b"folder", b"passwd"), 1) is None
    finally:
        os.close(root)


def test_a_large_file_is_compared_in_the_same_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WHOLE_BYTES", 1000)
    (tmp_path / "a").write_bytes(os.urandom(300_000))
    root = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        assert digest(root, (b"a",), 5) == digest(root, (b"a",), 5) != digest(root, (b"a",), 6)
    finally:
        os.close(root)


def test_each_entry_is_as_likely_as_any_other() -> None:
    chance = random.Random(1)
    counts = [0] * 10
    for _ in range(3000):
        for one in sample(range(10), 3, chance):
            counts[one] += 1
    assert all(800 < count < 1000 for count in counts)  # 900 of each, more or less
    assert sample(range(2), 5, chance) == [0, 1]


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        (("same", "volume"), "same"), (("same", "locked"), "partly"), (("same", "different"), "different"),
        (("locked",), "nothing"), ((), "nothing"), (("empty",), "nothing"),
    ],
)  # fmt: skip
def test_the_worst_of_all_datasets_counts(results: tuple[Any, ...], verdict: str) -> None:
    found = [Proven(source="a", target="b", snapshot="c", result=result) for result in results]
    assert verdict_of(found) == verdict


def test_a_copy_that_was_written_anew_is_compared_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "WHOLE_BYTES", 1000)
    folders = Folders(tmp_path)
    for number in range(300):  # more than a sample has
        folders.write(f"deep/{number}", b"x")
    last = bytearray(3 << 20)
    folders.write("large", bytes(last))
    last[-1] = 1
    assert _compared_all(folders, tmp_path) == ("same", 301, ())
    (folders.replica / "large").write_bytes(last)
    assert _compared_all(folders, tmp_path) == ("different", 301, ("large",))


def test_a_file_that_only_the_copy_has_is_a_difference(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    folders.write("a", b"a")
    (folders.replica / "b").write_bytes(b"b")
    assert _compared_all(folders, tmp_path) == ("different", 1, ("(files that the source does not have)",))


def test_a_stop_in_the_middle_of_a_file_is_no_difference(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    folders.write("a", bytes(8 << 20))
    asked = iter([False, False, True])
    assert _compared_all(folders, tmp_path, lambda: next(asked, True)) == ("stopped", 0, ())


def test_a_copy_of_which_something_cannot_be_read_is_not_compared(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    folders.write("a", b"a")
    folders.fails["b/x@one"] = errno.EIO
    assert _compared_all(folders, tmp_path) == ("failed", 0, ())


def _compared_all(
    folders: Folders, reports: Path, asked: Callable[[], bool] = lambda: False
) -> tuple[str | None, int, tuple[str, ...]]:
    task = msgspec.structs.replace(TASK, raw=False, anew=True)
    report = Report(
        reports / "report.json",
        lambda at: Proof(task=task.id, started_at=at, updated_at=at),
        clock=lambda: 0.0,
    )
    member = Member(name="tank/x", guid="1", kind="filesystem", snapshots=(_POINT,))
    copy = msgspec.structs.replace(member, name="b/x")

    @contextmanager
    def opened(side: object, snapshot: str) -> Iterator[Whole]:
        with folders.opened(side, snapshot) as here:
            yield Whole(here._root, asked)

    Proving(
        task, Side(member), Side(copy), report, opened=opened, asked_to_stop=asked,  # type: ignore[arg-type]
        chance=random.Random(1),
    ).carry_out()  # fmt: skip
    (only,) = report.content.datasets
    return report.content.verdict, only.files, only.different

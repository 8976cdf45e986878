"""A scan counts every file once, opens none of them, and ends when asked, with a bound for what it keeps."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from host.files.opening import Root
from host.measuring.pausing import Pausing
from host.programs.measuring import files
from host.programs.measuring.snapshot import Around
from host.scan import sums
from host.scan.duplicates import Candidates
from host.scan.kinds import kind_of
from host.scan.scanning import Scan, begun
from host.scan.sums import Sums, in_records
from host.scan.values import Scanned
from tests.host.asking import Asked
from tests.host.files.bench import root_at
from tests.host.reports import Kept

K, M = 1 << 10, 1 << 20
ID = "0123456789abcdef"


def scanned(
    root: Root, *, stop: Asked | None = None, step_s: float = 0.001, compares: bool = False
) -> Scanned:
    content = begun("2026-11-26T10:00:00+00:00", run=ID, dataset="tank/files", snapshot="s1")
    report, now = Kept(content), iter(range(1 << 60))
    pausing = Pausing(report, clock=lambda: next(now) * step_s, stop=stop or Asked(), busy=lambda: False)
    Scan(root, report, pausing, compares=compares).carry_out()
    return report.content


@pytest.fixture
def top(tmp_path: Path) -> Path:
    found = tmp_path / "snapshot"
    (found / "films" / "old" / "deep").mkdir(parents=True)
    (found / "films" / "new.MKV").write_bytes(b"x" * (3 * M))
    (found / "films" / "old" / "deep" / "a.mkv").write_bytes(b"x" * M)
    (found / "letter.odt").write_bytes(b"x" * 5000)
    os.link(found / "letter.odt", found / "films" / "same.odt")
    (found / "empty").touch()
    (found / "out").symlink_to("/etc")
    os.mkfifo(found / "pipe")
    strange = os.fsencode(found) + b"/b\xe4d"
    Path(os.fsdecode(strange)).mkdir()
    Path(os.fsdecode(strange + b"/n\xff")).write_bytes(b"q" * 512)
    return found


@pytest.fixture
def tree(top: Path) -> Iterator[Root]:
    with root_at(top) as root:
        yield root


def test_each_file_is_counted_once_by_folder_kind_and_size(tree: Root) -> None:
    found = scanned(tree)
    assert (found.verdict, found.words, found.phase, found.whole, found.unread) == (
        "done",
        "",
        "done",
        True,
        0,
    )
    assert (found.files, found.folders, found.others) == (5, 4, 2)
    assert found.size_bytes == 4 * M + 5000 + 512
    kinds = {one.kind: one.files for one in found.kinds}
    assert kinds == {"videos": 2, "documents": 1, "others": 2}
    folders = {one.path: one.files for one in found.largest_folders}
    # The letter is counted at whichever of its names comes first.
    assert folders["films/old"] == 1 and folders["films"] in {2, 3} and folders["b%E4d"] == 1
    assert "films/old/deep" not in folders
    assert [(one.up_to_bytes, one.files) for one in found.sizes] == [
        (4 * K, 2), (16 * K, 1), (1 * M, 1), (4 * M, 1),
    ]  # fmt: skip
    records = {one.record_bytes: (one.blocks, one.padding_bytes) for one in found.records}
    assert records[M] == (3 + 1 + 1 + 1, 5120 - 5000)
    assert records[4 * K] == (4 * 256 + 2 + 1, 8192 - 5000)


def test_files_are_not_opened(tree: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("host.files.opening.file", opened)
    assert scanned(tree).verdict == "done"


def test_large_files_with_the_same_content_are_found_on_request(top: Path) -> None:
    other = b"x" * M + b"z" + b"x" * (2 * M - 1)  # as large as the film, and the same at both ends
    (top / "films" / "other.mkv").write_bytes(other)
    (top / "copy of a film").write_bytes(b"x" * (3 * M))
    (top / "small").write_bytes(b"x" * 5000)  # as the letter
    with root_at(top) as root:
        assert scanned(root).duplicates == ()
        found = scanned(root, compares=True)
    assert (found.verdict, found.whole, found.unread, found.phase) == ("done", True, 0, "done")
    assert [(one.size_bytes, one.files, one.paths) for one in found.duplicates] == [
        (3 * M, 2, ("copy of a film", "films/new.MKV"))
    ]
    assert (found.duplicate_files, found.duplicate_bytes) == (1, 3 * M)
    assert found.compared_bytes == 3 * (2 * 64 * K + 3 * M)


def test_comparing_ends_when_asked_and_keeps_what_it_found(top: Path) -> None:
    for name in ("same1", "same2"):
        (top / name).write_bytes(b"y" * (2 * M))
    with root_at(top) as root:
        looks = Asked()
        assert scanned(root, compares=True, stop=looks).duplicate_files == 1
        found = scanned(root, compares=True, stop=Asked((1 << 60) - looks.left - 4))
    assert (found.verdict, found.files) == ("stopped", 7)
    assert 0 < found.compared_bytes < 2 * (2 * 64 * K + 2 * M)


def test_a_file_that_vanishes_while_it_is_compared_is_left_out(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("same1", "same2"):
        (top / name).write_bytes(b"y" * (2 * M))
    monkeypatch.setattr("host.files.opening.file", _gone)
    with root_at(top) as root:
        found = scanned(root, compares=True)
    assert (found.verdict, found.unread, found.duplicates) == ("done", 2, ())


def test_no_more_files_are_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.scan.duplicates.MOST_FILES", 2)
    found = Candidates()
    for number in range(3):
        found.add((b"%d" % number,), 2 * M)
    found.add((b"small",), M - 1)
    assert (found.whole, found.groups()) == (False, [(2 * M, [(b"0",), (b"1",)])])


def test_the_end_is_heard_within_a_folder(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.scan.scanning._CHECKED_EVERY", 2)
    with root_at(top) as root:
        found = scanned(root, stop=Asked(looks=2))
    assert found.verdict == "stopped"
    assert found.files + found.folders + found.others < 11


def test_a_comparison_that_is_cut_short_is_not_said_of_the_counting(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("same1", "same2"):
        (top / name).write_bytes(b"y" * (2 * M))
    monkeypatch.setattr("host.scan.scanning.MOST_READ", M)
    with root_at(top) as root:
        found = scanned(root, compares=True)
    assert (found.verdict, found.whole, found.duplicate_files) == ("done", True, 0)
    assert found.words.startswith("There was more than can be compared at once: of the large files")


def test_it_ends_by_itself_and_says_that_it_is_not_all(tree: Root) -> None:
    found = scanned(tree, step_s=3600.0)
    assert found.whole is False
    assert found.verdict in {"done", "empty"}


def test_what_is_not_there_any_more_is_counted_as_unread(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with root_at(top) as root:
        monkeypatch.setattr("host.files.opening.folder", _gone)
        found = scanned(root)
    assert (found.verdict, found.unread, found.files) == ("failed", 1, 0)


@contextmanager
def _gone(root: Root, path: tuple[bytes, ...]) -> Iterator[int]:
    raise OSError(5, "Input/output error")
    yield 0


def test_an_empty_one_has_no_figures(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with root_at(tmp_path / "none") as root:
        found = scanned(root)
    assert (found.verdict, found.records, found.kinds) == ("empty", (), ())


def test_a_million_folders_take_no_more_memory_than_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "MOST_FOLDERS", 3)
    found = Sums()
    for number in range(50):
        found.add((b"top%d" % number, b"in", b"file.jpg"), 10, 51_200 if number == 40 else 512)
    assert len(found._folders) <= 6  # of either depth three
    fields = found.fields()
    assert (fields["files"], fields["kinds"][0].bytes) == (50, 49 * 512 + 51_200)
    assert [one.path for one in fields["largest_folders"][:2]] == ["top40", "top40/in"]


@pytest.mark.parametrize(
    ("size", "record", "expected"),
    [
        (0, 128 * K, (0, 0)), (1, 128 * K, (1, 511)), (512, 128 * K, (1, 0)), (128 * K, 128 * K, (1, 0)),
        (128 * K + 1, 128 * K, (2, 128 * K - 1)),
    ],
)  # fmt: skip
def test_a_file_of_more_than_one_record_has_whole_records(
    size: int, record: int, expected: tuple[int, int]
) -> None:
    assert in_records(size, record) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (b"a.JPG", "pictures"), (b".mkv", "others"), (b"mkv", "others"), (b"b.tar.gz", "archives"),
        (b"disk.qcow2", "disk images"), (b"x.\xff", "others"), (b"main.sqlite3", "databases"),
    ],
)  # fmt: skip
def test_the_ending_of_a_name_says_the_kind(name: bytes, kind: str) -> None:
    assert kind_of(name) == kind


def test_the_program_ends_with_a_report(tmp_path: Path, top: Path) -> None:
    @contextmanager
    def opened(snapshot: str, at: Path) -> Iterator[int]:
        assert snapshot == "tank/files@s1"
        with root_at(top) as root:
            yield root.descriptor

    around = Around(opened=opened, stop=Asked(), say_ready=lambda: None, busy=lambda pool: False)
    asked = [f"--run={ID}", "--dataset=tank/files", "--snapshot=s1", f"--reports={tmp_path}"]
    assert files.main(asked, around) == 0
    report = msgspec.json.decode((tmp_path / f"files-{ID}.json").read_bytes(), type=Scanned)
    assert (report.verdict, report.dataset, report.files) == ("done", "tank/files", 5)
    assert report.finished_at is not None

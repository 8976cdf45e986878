"""Folders a page at a time, measures, and texts compared."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.files import entries, text
from host.files.names import shown
from host.files.opening import Unreachable
from host.programs import read_files
from tests.host.files.bench import Datasets, root_at


def filled(folder: Path) -> Path:
    (folder / "b").mkdir(parents=True)
    for name in ("a.txt", "C.txt", "d.txt"):
        (folder / name).write_text(name)
    (folder / "b" / "inner.txt").write_text("inner")
    (folder / "link").symlink_to("a.txt")
    Path(os.fsdecode(os.fsencode(folder) + b"/odd\xff")).write_text("odd")
    return folder


def test_folders_come_first_then_names_in_any_case(tmp_path: Path) -> None:
    with root_at(filled(tmp_path / "x")) as root:
        page = entries.page(root, (), after=None, limit=100)
    assert [(one.name, one.kind) for one in page.entries] == [
        ("b", "folder"), ("a.txt", "file"), ("C.txt", "file"), ("d.txt", "file"),
        ("link", "link"), ("odd%FF", "file"),
    ]  # fmt: skip
    assert (page.count, page.following) == (6, None)
    link = page.entries[4]
    assert (link.leads_to, page.entries[1].size_bytes, page.entries[0].size_bytes) == ("a.txt", 5, 0)


@given(names=st.sets(st.binary(min_size=1, max_size=20), max_size=30), limit=st.integers(1, 7))
def test_pages_together_are_the_whole_folder(
    tmp_path_factory: pytest.TempPathFactory, names: set[bytes], limit: int
) -> None:
    top = os.fsencode(tmp_path_factory.mktemp("pages"))
    wanted = {name for name in names if b"/" not in name and b"\0" not in name and name not in {b".", b".."}}
    for number, name in enumerate(sorted(wanted)):
        if number % 3:
            Path(os.fsdecode(top + b"/" + name)).touch()
        else:
            Path(os.fsdecode(top + b"/" + name)).mkdir()
    found: list[str] = []
    with root_at(Path(os.fsdecode(top))) as root:
        after: str | None = None
        while True:
            page = entries.page(root, (), after=after, limit=limit)
            found += [one.name for one in page.entries]
            if (after := page.following) is None:
                break
    assert len(found) == len(wanted) and set(found) == {shown(name) for name in wanted}


def test_names_are_searched_in_any_case(tmp_path: Path) -> None:
    with root_at(filled(tmp_path / "x")) as root:
        page = entries.page(root, (), after=None, limit=100, contains="c.T")
    assert [one.name for one in page.entries] == ["C.txt"] and page.count == 1


def test_a_tree_is_measured(tmp_path: Path) -> None:
    with root_at(filled(tmp_path / "x")) as root:
        measure = entries.measure(root, ())
        cut = entries.measure(root, (), in_time=lambda: False)
    assert (measure.files, measure.folders, measure.others, measure.size_bytes) == (5, 2, 1, 23)
    assert measure.complete and not cut.complete


def test_texts_are_compared_line_by_line() -> None:
    before = [f"line {number}" for number in range(100)]
    after = [*before[:50], "new", *before[51:]]
    found = text.compare(before, after, labels=("old", "now"))
    assert found.lines[:3] == ("--- old", "+++ now", "@@ -48,7 +48,7 @@")
    assert "-line 50" in found.lines and "+new" in found.lines and not found.cut
    assert text.compare(before, before, labels=("a", "b")).lines == ()


LINES = st.lists(st.sampled_from("abcd"), max_size=12)


@given(LINES, LINES)
def test_a_comparison_holds_every_line_that_came_or_went(before: list[str], after: list[str]) -> None:
    found = text.compare(before, after, labels=("a", "b")).lines
    came = sum(line.startswith("+") for line in found[2:])
    went = sum(line.startswith("-") for line in found[2:])
    assert came - went == len(after) - len(before)
    assert (not found) == (before == after)


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"a\0b", "binary"), (b"\xff\xfe", "binary"), (b"x" * (text.MOST_BYTES + 1), "too-large")],
)
def test_what_is_no_text_is_said_to_be_none(data: bytes, code: str) -> None:
    with pytest.raises(Unreachable) as refused:
        text.lines_of(data)
    assert refused.value.code == code


def test_what_would_take_too_long_is_not_compared() -> None:
    with pytest.raises(Unreachable) as refused:
        text.compare(["a"] * 9000, ["b"] * 9000, labels=("a", "b"))
    assert refused.value.code == "too-large"


def ask(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> Any:
    assert read_files.main([*arguments, "--dataset=tank/home"], root=Datasets(folder)) == 0
    return json.loads(capsys.readouterr().out)


def test_the_program_reports_a_path_in_many_snapshots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for tag, words in (("s1", "one"), ("s2", "two"), ("live", None)):
        (tmp_path / tag).mkdir()
        if words:
            (tmp_path / tag / "a.txt").write_text(words)
    options = ("--path=a.txt", "--live", "--snapshot=s2", "--snapshot=s1", "--snapshot=s0")
    report = ask(capsys, tmp_path, "see", *options)
    seen = [
        (one["tag"], one["entry"] and one["entry"]["size_bytes"], one["problem"]) for one in report["seen"]
    ]
    assert seen == [(None, None, None), ("s2", 3, None), ("s1", 3, None), ("s0", None, "no-snapshot")]


def test_the_program_answers_whatever_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(tmp_path / "live")
    assert ask(capsys, tmp_path, "list", "--path=b")["entries"][0]["name"] == "inner.txt"
    assert ask(capsys, tmp_path, "list", "--path=../x")["code"] == "not-found"
    assert ask(capsys, tmp_path, "list", "--snapshot=gone")["code"] == "no-snapshot"
    assert ask(capsys, tmp_path, "list", "--path=a.txt")["code"] == "not-a-folder"
    assert ask(capsys, tmp_path, "compare", "--path=a.txt", "--before=", "--then=")["lines"] == []


def test_a_restore_is_measured_at_both_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(tmp_path / "live")
    filled(tmp_path / "s1")
    for name in ("kept-1", "kept-12", "kept-x", "other-99"):
        (tmp_path / "live" / ".zfs" / "snapshot" / name).mkdir(parents=True)
    wanted = ("--snapshot=s1", "--path=b", "--folder=", "--kept-as=kept")
    report = ask(capsys, tmp_path, "measure", *wanted, "--name=b")
    assert (report["files"], report["target_files"], report["last_kept"], report["folder_exists"]) == (
        1,
        1,
        12,
        True,
    )
    assert ask(capsys, tmp_path, "measure", *wanted, "--name=new")["target"] is None
    gone = ask(
        capsys, tmp_path, "measure", "--snapshot=s1", "--path=b", "--folder=gone", "--name=b", "--kept-as=k"
    )
    assert gone["folder_exists"] is False

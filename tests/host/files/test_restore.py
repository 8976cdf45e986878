"""A copy is whole and as the original was, or it is not there."""

from __future__ import annotations

import errno
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.files import acl, copying
from host.files.answers import Restored
from host.files.copying import Stopped
from host.programs import restore
from host.programs.restore import Refused, Restore
from host.programs.restore_report import RestoreReport
from tests.host.files.bench import Datasets
from tests.host.programs.bench import Stopping, clock

ID = "0123456789abcdef"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A live state that lost things since its snapshot `s1`."""
    old, live = tmp_path / "s1", tmp_path / "live"
    (old / "docs" / "deep").mkdir(parents=True)
    (old / "docs" / "a.txt").write_text("old words")
    (old / "docs" / "deep" / "b.txt").write_text("b")
    (old / "docs" / "link").symlink_to("/etc/passwd")
    os.link(old / "docs" / "a.txt", old / "docs" / "same.txt")
    (old / "docs" / "a.txt").chmod(0o640)
    os.setxattr(old / "docs" / "deep" / "b.txt", "user.mood", b"good")
    os.utime(old / "docs" / "a.txt", ns=(10**18, 10**18 + 7))
    (live / "docs").mkdir(parents=True)
    (live / "docs" / "a.txt").write_text("new words!")
    yield tmp_path


class Run:
    """A restore in a folder."""

    def __init__(self, home: Path, *, stop_at: int | None = None, step: float = 0.01) -> None:
        self.home, self.readied = home, 0
        (home / "reports").mkdir(exist_ok=True)
        self.report = RestoreReport(
            home / "reports", restore=ID, dataset="tank", source="", target="", clock=clock()
        )
        self.restore = Restore(self.report, stop=Stopping(stop_at), clock=clock(step), say_ready=self._ready)

    def _ready(self) -> None:
        self.readied += 1

    def __call__(self, path: str, folder: str, name: str, *, over: bool = False) -> None:
        datasets = Datasets(self.home)
        with ExitStack() as stack:
            frozen = stack.enter_context(datasets("tank", "s1"))
            live = stack.enter_context(datasets("tank", None))
            self.restore.carry_out(frozen, live, path, folder, name, over=over)


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def test_a_file_comes_back_beside(home: Path) -> None:
    Run(home)("docs/a.txt", "docs", "a (s1).txt")
    found = home / "live" / "docs" / "a (s1).txt"
    assert found.read_text() == "old words"
    assert stat.S_IMODE(found.stat().st_mode) == 0o640
    assert found.stat().st_mtime_ns == 10**18 + 7
    assert (home / "live" / "docs" / "a.txt").read_text() == "new words!"
    assert names(home / "live" / "docs") == {"a.txt", "a (s1).txt"}


def test_a_file_comes_back_over_what_is_there(home: Path) -> None:
    Run(home)("docs/a.txt", "docs", "a.txt", over=True)
    assert (home / "live" / "docs" / "a.txt").read_text() == "old words"
    assert names(home / "live" / "docs") == {"a.txt"}


def test_a_folder_comes_back_as_it_was(home: Path) -> None:
    run = Run(home)
    run("docs", "", "docs", over=True)
    docs = home / "live" / "docs"
    assert names(docs) == {"a.txt", "deep", "link", "same.txt"}
    assert str((docs / "link").readlink()) == "/etc/passwd"
    assert (docs / "a.txt").stat().st_ino == (docs / "same.txt").stat().st_ino
    assert os.getxattr(docs / "deep" / "b.txt", "user.mood") == b"good"
    assert (run.report.content.files, run.report.content.total_files) == (3, 3)
    assert names(home / "live") == {"docs"}


OPEN = acl.encoded(acl.parse("user::rwx,user:30000:rwx,group::rwx,mask::rwx,other::---"))


@pytest.fixture
def opened(home: Path) -> Path:
    """The live folder lets somebody into whatever is made in it."""
    os.setxattr(home / "live", acl.DEFAULT, OPEN)
    return home


def lists(path: Path) -> set[str]:
    return set(os.listxattr(path)) & {acl.ACCESS, acl.DEFAULT}


def test_what_had_no_access_list_takes_none_from_the_folder_that_it_comes_back_to(opened: Path) -> None:
    os.mkfifo(opened / "s1" / "docs" / "pipe", 0o640)
    (opened / "s1" / "docs" / "pipe").chmod(0o640)
    (opened / "s1" / "docs" / "deep").chmod(0o750)
    Run(opened)("docs", "", "back")
    back = opened / "live" / "back"
    found = {path: stat.S_IMODE((back / path).stat().st_mode) for path in ("a.txt", "pipe", "deep")}
    assert found == {"a.txt": 0o640, "pipe": 0o640, "deep": 0o750}
    assert [path for path in (back, *back.rglob("*")) if not path.is_symlink() and lists(path)] == []


def test_what_had_access_lists_comes_back_with_its_own(opened: Path) -> None:
    own = acl.encoded(acl.parse("user::rwx,user:30001:r-x,group::---,mask::r-x,other::---"))
    deep = opened / "s1" / "docs" / "deep"
    os.setxattr(deep, acl.ACCESS, own)
    os.setxattr(deep, acl.DEFAULT, own)
    Run(opened)("docs", "", "back")
    back = opened / "live" / "back" / "deep"
    assert os.getxattr(back, acl.ACCESS) == os.getxattr(back, acl.DEFAULT) == own


def test_nothing_is_overwritten_that_was_to_stay(home: Path) -> None:
    with pytest.raises(Refused, match=r"a\.txt already"):
        Run(home)("docs/a.txt", "docs", "a.txt")
    assert (home / "live" / "docs" / "a.txt").read_text() == "new words!"
    assert names(home / "live" / "docs") == {"a.txt"}


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """A process that may hold forty files open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(names(Path("/proc/self/fd"))) + 40, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_descriptors")
def test_hard_links_across_many_folders_take_no_descriptor_each(home: Path) -> None:
    for number in range(60):
        one, other = (home / "s1" / "tree" / name / f"{number}" for name in ("first", "second"))
        one.mkdir(parents=True)
        other.mkdir(parents=True)
        (one / "file").write_text(f"{number}")
        os.link(one / "file", other / "file")
    Run(home)("tree", "", "tree")
    tree = home / "live" / "tree"
    for number in range(60):
        one, other = (tree / name / f"{number}" / "file" for name in ("first", "second"))
        assert one.read_text() == f"{number}"
        assert one.stat().st_ino == other.stat().st_ino


def test_holes_stay_holes(home: Path) -> None:
    with (home / "s1" / "sparse").open("wb") as file:
        file.seek(64 << 20)
        file.write(b"end")
    Run(home)("sparse", "", "sparse")
    found = (home / "live" / "sparse").stat()
    assert found.st_size == (64 << 20) + 3 and found.st_blocks * 512 < 1 << 20


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "no space left"), (errno.EDQUOT, "quota is reached"), (errno.EIO, "no good copy")],
)
def test_a_full_disk_leaves_nothing_behind(
    home: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def full(*_: Any) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(copying, "_move", full)
    with pytest.raises(Refused, match=words):
        Run(home)("docs", "", "docs", over=True)
    assert names(home / "live") == {"docs"}
    assert (home / "live" / "docs" / "a.txt").read_text() == "new words!"


def test_one_that_is_stopped_leaves_nothing_behind(home: Path) -> None:
    with pytest.raises(Stopped):
        Run(home, stop_at=2)("docs", "", "docs", over=True)
    assert names(home / "live") == {"docs"}
    assert (home / "live" / "docs" / "a.txt").read_text() == "new words!"


def test_what_a_power_cut_left_is_tidied_up(home: Path) -> None:
    left = home / "live" / "docs" / f".nasweb-restore-{ID}"
    left.mkdir()
    (left / "half").write_text("ha")
    Run(home)("docs/deep", "docs", "deep")
    assert names(home / "live" / "docs") == {"a.txt", "deep"}


def test_where_the_kernel_does_not_copy_the_bytes_are_read_and_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> int:
        raise OSError(errno.EXDEV, "across file systems")

    monkeypatch.setattr(os, "copy_file_range", refuse)
    (home / "s1" / "big").write_bytes(os.urandom(3 << 20))
    Run(home)("big", "", "big")
    assert (home / "live" / "big").read_bytes() == (home / "s1" / "big").read_bytes()


def test_a_long_one_says_that_it_goes_on(home: Path) -> None:
    run = Run(home, step=30.0)
    run("docs", "", "copy")
    assert run.readied == 1 and run.restore.ready


def test_what_was_there_stays_where_it_could_be_written_to_meanwhile(home: Path) -> None:
    run = Run(home, step=30.0)
    run("docs", "", "docs", over=True)
    assert run.readied == 1
    assert run.restore.left == (
        " What was there until then is called docs.before-restore: delete it when nothing in it is needed."
    )
    assert names(home / "live") == {"docs", "docs.before-restore"}
    assert (home / "live" / "docs.before-restore" / "a.txt").read_text() == "new words!"
    assert (home / "live" / "docs" / "a.txt").read_text() == "old words"


def test_what_an_earlier_restore_kept_stays_when_it_is_repeated(home: Path) -> None:
    for words in ("first", "second", "third"):
        (home / "live" / "docs" / "a.txt").write_text(words)
        run = Run(home, step=30.0)
        run("docs", "", "docs", over=True)
    assert "is called docs.before-restore-3:" in run.restore.left
    kept = ("docs.before-restore", "docs.before-restore-2", "docs.before-restore-3")
    assert [(home / "live" / name / "a.txt").read_text() for name in kept] == ["first", "second", "third"]
    assert names(home / "live") == {"docs", *kept}


@pytest.mark.parametrize("letter", ["n", "ä", "𝄞"])
def test_what_has_the_longest_name_is_kept_under_a_shorter_one(home: Path, letter: str) -> None:
    long = letter * (255 // len(letter.encode()))
    (home / "live" / "docs").rename(home / "live" / long)
    for words in ("first", "second"):
        (home / "live" / long / "a.txt").write_text(words)
        Run(home, step=30.0)("docs", "", long, over=True)
    kept = {one.name: (one / "a.txt").read_text() for one in (home / "live").iterdir() if one.name != long}
    assert {name.strip(letter): words for name, words in kept.items()} == {
        ".before-restore": "first", ".before-restore-2": "second",
    }  # fmt: skip


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("stop_at", [None, 1])
def test_who_renames_the_copy_meanwhile_has_nothing_removed_or_replaced(
    home: Path, *, over: bool, stop_at: int | None
) -> None:
    live = home / "live"
    (live / "bob").mkdir()
    (live / "bob" / "letter").write_text("private")

    class Renaming(Run):
        def _ready(self) -> None:
            (temporary,) = (one for one in live.iterdir() if one.name.startswith("."))
            temporary.rename(live / "mine")
            (live / "bob").rename(temporary)
            if stop_at is not None:
                raise Stopped

    with pytest.raises(Refused if stop_at is None else Stopped):
        Renaming(home, step=30.0)("docs", "", "docs" if over else "back", over=over)
    (kept,) = (one for one in live.iterdir() if one.name.startswith("."))
    assert (kept / "letter").read_text() == "private"
    assert (live / "docs" / "a.txt").read_text() == "new words!"
    assert not (live / "back").exists()


def test_a_tree_without_an_end_is_refused_and_nothing_is_left(home: Path) -> None:
    folder = home / "s1" / "deep"
    for _ in range(255):
        folder /= "a"
    folder.mkdir(parents=True)
    with pytest.raises(Refused, match="more than 250 folders lie within each other"):
        Run(home)("deep", "", "back")
    assert names(home / "live") == {"docs"}


def test_what_was_there_and_cannot_be_removed_is_named_and_the_copy_is_back(home: Path) -> None:
    live = home / "live" / "docs"
    live.joinpath(*"a" * 255).mkdir(parents=True)
    status, report = run_program(home, "--folder=", "--name=docs", "--over", path="docs")
    kept = f".nasweb-restore-{ID}"
    assert (status, report.verdict) == (0, "restored")
    assert report.words == (
        f"docs is back. What was there before could not be removed, and is called {kept} now: "
        "more than 250 folders lie within each other there."
    )
    assert names(home / "live") == {"docs", kept}
    assert (live / "a.txt").read_text() == "old words"


def test_a_link_on_the_way_is_not_followed(home: Path) -> None:
    (home / "elsewhere").mkdir()
    (home / "live" / "trap").symlink_to(home / "elsewhere")
    with pytest.raises(Exception, match="no folder"):
        Run(home)("docs/a.txt", "trap", "a.txt")
    assert names(home / "elsewhere") == set()


def run_program(home: Path, *more: str, path: str = "docs/a.txt") -> tuple[int, Restored]:
    (home / "reports").mkdir(exist_ok=True)
    arguments = [f"--restore={ID}", "--dataset=tank", "--snapshot=s1", f"--path={path}"]
    arguments.append(f"--reports={home / 'reports'}")
    status = restore.main([*arguments, *more], root=Datasets(home))
    return status, msgspec.json.decode((home / "reports" / f"{ID}.json").read_bytes(), type=Restored)


def test_the_program_reports_how_it_ended(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, report = run_program(home, "--folder=docs", "--name=a.txt")
    assert (status, report.verdict) == (3, "failed")
    assert "already" in report.words and report.words in capsys.readouterr().err
    status, report = run_program(home, "--folder=docs", "--name=a.txt", "--over")
    assert (status, report.verdict, report.words) == (0, "restored", "docs/a.txt is back.")
    assert run_program(home, "--folder=", "--name=x", path="../../etc")[0] == 3
    assert run_program(home, "--folder=", "--name=x", path="")[1].words.startswith("To restore the whole")

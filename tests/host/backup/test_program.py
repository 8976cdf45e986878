"""The program that writes and reads copies, on a plain folder; and how it mounts, by what the kernel says."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from host.backup import mounting, staging
from host.backup.archive import BadCopy
from host.backup.folders import ORDER, READY, STAGED, beside
from host.backup.manifest import Checked, Listing, Order
from host.backup.mounting import Unreachable, mounted
from host.programs import copies
from host.programs.copies import Refused
from host.system import mounts
from tests.host.backup.cases import ANNA, CONTENT, copy, database

DATASET = "--dataset=tank/.nasweb"
PEOPLE = b'{"people":[{"name":"anna","uid":30000}]}'


class Bench:
    """The program with a plain folder in the place of the dataset."""

    def __init__(self, folder: Path) -> None:
        self.shelf = folder / "shelf"
        self.shelf.mkdir()
        self.folders = beside(folder)
        self.folders.spool.mkdir()
        (self.folders.spool / CONTENT).write_bytes(copy())

    def run(self, *arguments: str) -> str:
        return copies.carry_out([*arguments], opened=self.opened, folders=self.folders)

    @contextmanager
    def opened(self, dataset: str, writes: bool) -> Iterator[int]:
        assert dataset == "tank/.nasweb"
        descriptor = os.open(self.shelf, os.O_RDONLY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def keep(bench: Bench, *more: str) -> str:
    return bench.run("keep", DATASET, f"--content={CONTENT}", *more)


def test_a_copy_is_kept_and_not_twice(bench: Bench) -> None:
    assert keep(bench).endswith("-00000001-20260302T100000Z.nasweb. 1 of this console are kept here.\n")
    assert keep(bench).startswith("Nothing has changed since the last one, which is whole: ")
    assert keep(bench, "--anyway").startswith("Written, ")
    listing = msgspec.json.decode(bench.run("list", DATASET), type=Listing)
    assert [one.name[17:25] for one in listing.copies] == ["00000002", "00000001"]


def test_one_is_checked_and_laid_out(bench: Bench) -> None:
    (bench.folders.spool / CONTENT).write_bytes(copy(secrets=True, members={"people.json": PEOPLE}))
    bench.folders.workshop.mkdir()
    (bench.folders.workshop / "smbpasswd").write_text(f"{ANNA}\n")
    keep(bench, "--secrets")
    report = msgspec.json.decode(bench.run("check", DATASET), type=Checked)
    assert (report.problem, report.why) == (None, "")
    assert report.manifest is not None
    assert bench.run("stage", DATASET).startswith(
        f"{report.name}, made 2026-03-02T10:00:00Z on nas, is whole"
    )
    assert (bench.folders.restored / STAGED).read_bytes() == database()
    assert (bench.folders.workshop / "smbpasswd.restored").read_text() == f"{ANNA}\n"
    first = msgspec.json.decode((bench.folders.restored / ORDER).read_bytes(), type=Order)
    bench.run("stage", DATASET)
    second = msgspec.json.decode((bench.folders.restored / ORDER).read_bytes(), type=Order)
    assert first.manifest == second.manifest == report.manifest
    assert first.id != second.id


def test_of_the_copies_of_several_installations_one_has_to_be_named(
    bench: Bench,
) -> None:
    # A new console writes its own minutes after it imported the pool of the old one.
    keep(bench)
    (mine,) = bench.shelf.iterdir()
    theirs = f"{'b' * 16}{mine.name[16:]}"
    (bench.shelf / theirs).write_bytes(mine.read_bytes())
    report = msgspec.json.decode(bench.run("check", DATASET), type=Checked)
    assert (report.problem, report.manifest) == ("none", None)
    assert report.why == "Copies of several installations lie on this pool: say which one, by its name."
    with pytest.raises(Refused, match="say which one"):
        bench.run("stage", DATASET)
    assert msgspec.json.decode(bench.run("check", DATASET, f"--copy={theirs}"), type=Checked).name == theirs


def test_passwords_are_laid_out_of_people_who_come_back_and_of_nobody_else(bench: Bench) -> None:
    lines = [
        ANNA,
        ANNA.replace("anna", "root"),
        ANNA.replace("anna", "nasweb"),
        ANNA.replace("30000", "30001"),
    ]
    members = {"people.json": PEOPLE, "smbpasswd": "\n".join(lines).encode()}
    bench.folders.uploads.mkdir()
    (bench.folders.uploads / "sent").write_bytes(copy(secrets=True, members=members))  # type: ignore[arg-type]
    bench.run("stage", "--upload=sent")
    assert (bench.folders.workshop / "smbpasswd.restored").read_text() == f"{ANNA}\n"


def test_the_console_reads_what_is_laid_out_for_it_whatever_root_usually_makes(bench: Bench) -> None:
    # The program's unit has a mask of 077, which took the console's group its way into the folder.
    keep(bench)
    own = bench.shelf.stat().st_gid
    before = os.umask(0o077)
    try:
        with (bench.shelf / next(bench.shelf.iterdir()).name).open("rb") as file:
            staging.stage(file, bench.folders, group=own)
    finally:
        os.umask(before)
    laid_out = (bench.folders.restored, *(bench.folders.restored / name for name in (ORDER, STAGED)))
    assert [oct(path.stat().st_mode & 0o777) for path in laid_out] == ["0o750", "0o640", "0o640"]
    assert {path.stat().st_gid for path in laid_out} == {own}


def test_what_was_ordered_before_is_not_carried_out_with_what_is_laid_out_now(bench: Bench) -> None:
    keep(bench)
    bench.run("stage", DATASET)
    (bench.folders.restored / STAGED).rename(bench.folders.restored / READY)
    bench.run("stage", DATASET)
    assert {path.name for path in bench.folders.restored.iterdir()} == {ORDER, STAGED}


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"database.sqlite3": b"hello"}, "There is no database in it"),
        ({"people.json": b'{"people":[{"name":"root","uid":0}]}'}, "The list of people in it cannot be read"),
        ({"smbpasswd": ANNA.encode()}, "It holds passwords and says that it holds none"),
    ],
)
def test_what_does_not_hold_what_it_must_is_not_laid_out(
    bench: Bench, members: dict[str, bytes], said: str
) -> None:
    bench.folders.uploads.mkdir()
    (bench.folders.uploads / "sent").write_bytes(copy(members=members))  # type: ignore[arg-type]
    report = msgspec.json.decode(bench.run("check", "--upload=sent"), type=Checked)
    assert (report.problem, report.why.startswith(said)) == ("broken", True)
    with pytest.raises(Refused, match=said):
        bench.run("stage", "--upload=sent")
    assert not bench.folders.restored.exists()


def test_another_copy_than_the_one_that_is_named_is_never_taken(bench: Bench) -> None:
    keep(bench)
    for name in ("../../etc/passwd", "0123456789abcdef-00000009-20260302T100000Z.nasweb"):
        with pytest.raises(Refused, match="no such copy"):
            bench.run("stage", DATASET, f"--copy={name}")


def test_without_the_console_nothing_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "CONSOLE", "nobody-at-all")
    with pytest.raises(BadCopy, match="There is no group nobody-at-all here"):
        staging.console_group()


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        (errno.EACCES, "locked"),
        (errno.ENOENT, "none"),
        (errno.EROFS, "unreadable"),
        (errno.EIO, "unreadable"),
    ],
)
def test_what_the_kernel_says_of_a_mount_is_reported_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, problem: str
) -> None:
    def refuse(source: bytes, _at: Path, kind: bytes, _flags: int) -> None:
        if kind == b"zfs":
            raise OSError(number, os.strerror(number))

    for module in (mounts, mounting):
        monkeypatch.setattr(module, "mount", refuse)
    monkeypatch.setattr(os, "unshare", lambda _flags: None)
    with pytest.raises(Unreachable) as refused, mounted("tank/.nasweb", tmp_path / "shelf", writes=True):
        pass
    assert refused.value.problem == problem


def test_the_namespace_is_private_before_anything_is_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[object, ...]] = []
    monkeypatch.setattr(os, "unshare", lambda flags: done.append(("unshare", flags)))
    for module in (mounts, mounting):
        monkeypatch.setattr(
            module, "mount", lambda source, at, kind, flags: done.append((source, kind, flags))
        )
    with mounted("tank/.nasweb", tmp_path / "shelf", writes=True) as descriptor:
        assert os.fstat(descriptor).st_mode & 0o777 == 0o700
    nosuid_nodev_noexec, rec_slave = 2 | 4 | 8, 16384 | 1 << 19
    assert done == [
        ("unshare", os.CLONE_NEWNS),
        (b"none", b"", rec_slave),
        (b"tank/.nasweb", b"zfs", nosuid_nodev_noexec),
    ]

"""The folder of copies: written in one step, listed newest first, thinned out by installation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from host.backup import writing
from host.backup.archive import BadCopy
from host.backup.folders import Folders, beside
from host.backup.store import KEPT, Name, Shelf, read_name, to_keep
from tests.host.backup.cases import ANNA, CONTENT, ORIGIN, OTHER, copy, manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "shelf"
    place.mkdir()
    return place


@pytest.fixture
def shelf(folder: Path) -> Iterator[Shelf]:
    descriptor = os.open(folder, os.O_RDONLY)
    yield Shelf(descriptor)
    os.close(descriptor)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    found = beside(tmp_path)
    found.spool.mkdir()
    found.workshop.mkdir()
    return found


def name(number: int, made_at: str = "20260302T100000Z", origin: str = ORIGIN) -> Name:
    return Name(origin, number, made_at)


def test_a_copy_is_written_whole_and_read_again(shelf: Shelf, folder: Path) -> None:
    written = shelf.write(copy(), manifest())
    assert str(written) == f"{ORIGIN}-00000001-20260302T100000Z.nasweb"
    assert [path.name for path in folder.iterdir()] == [str(written)]
    assert (folder / str(written)).stat().st_mode & 0o777 == 0o600
    (found,) = shelf.found()
    assert (found.name, found.size_bytes, found.why) == (str(written), len(copy()), "")
    assert found.manifest is not None
    assert found.manifest.host == "nas"


def test_a_name_with_a_day_that_never_was_is_no_copy_and_stops_no_other(shelf: Shelf, folder: Path) -> None:
    (folder / str(name(1, "20260230T100000Z"))).write_bytes(copy())
    shelf.write(copy(), manifest())
    assert [str(one) for one in shelf.names()] == [str(name(1))]
    assert shelf.thin(ORIGIN) == 1


def test_of_very_many_copies_the_newest_are_listed(
    shelf: Shelf, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.backup.store.MOST_LISTED", 2)
    for number in range(1, 5):
        (folder / str(name(number))).write_bytes(copy())
    assert [one.name for one in shelf.found()] == [str(name(4)), str(name(3))]


def test_what_the_power_left_half_is_no_copy_and_goes(shelf: Shelf, folder: Path) -> None:
    left = folder / f"{name(7)}.unfinished"
    left.write_bytes(b"half")
    assert list(shelf.found()) == []
    assert shelf.write(copy(), manifest()).number == 1
    assert not left.exists()


def test_neither_links_nor_devices_are_opened(shelf: Shelf, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(copy())
    (folder / str(name(1))).symlink_to(tmp_path / "secret")
    os.mkfifo(folder / str(name(2)))
    assert {found.manifest for found in shelf.found()} == {None}
    assert all(found.why for found in shelf.found())


def test_a_damaged_copy_is_reported_as_such(shelf: Shelf, folder: Path) -> None:
    (folder / str(name(1))).write_bytes(copy()[:60])
    (found,) = shelf.found()
    assert found.manifest is None
    assert found.why.startswith("It cannot be read")


def test_the_newest_goes_by_number_though_the_clock_was_set_back(shelf: Shelf) -> None:
    shelf.write(copy(), manifest(made_at="2026-03-02T10:00:00Z"))
    second = shelf.write(copy(), manifest(made_at="2025-01-01T00:00:00Z"))
    newest = shelf.newest(ORIGIN)
    assert newest is not None
    assert newest[0] == second
    assert shelf.names()[0] == second


def test_names_are_read_strictly() -> None:
    assert read_name(str(name(12))) == name(12)
    assert read_name(f"{name(12)}.unfinished") is None
    assert read_name("../" + str(name(12))) is None


def test_the_newest_are_kept_and_one_a_week_of_those_before() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    daily = [name(day + 1, f"{start + timedelta(days=day):%Y%m%dT%H%M%SZ}") for day in range(100)]
    kept = sorted(one.number for one in to_keep(daily))
    assert kept[-KEPT:] == list(range(91, 101))
    # 1 January 2026 is a Thursday: Sundays end the weeks, and the day numbers of those before are these.
    assert kept[:-KEPT] == [53, 60, 67, 74, 81, 88]


def test_only_own_copies_are_thinned_out(shelf: Shelf) -> None:
    for day in range(1, 15):
        shelf.write(copy(), manifest(made_at=f"2026-03-02T{day:02}:00:00Z"))
        shelf.write(copy(), manifest(origin=OTHER, made_at=f"2026-03-02T{day:02}:00:00Z"))
    assert shelf.thin(ORIGIN) == KEPT
    assert sum(one.origin == OTHER for one in shelf.names()) == 14


def test_nothing_is_written_where_nothing_has_changed(shelf: Shelf) -> None:
    first = writing.keep(shelf, manifest(), copy(), anyway=False)
    later = manifest(made_at="2026-03-05T10:00:00Z")
    again = writing.keep(shelf, later, copy(), anyway=False)
    assert (first.written, again.written, again.name, again.total) == (True, False, first.name, 1)
    assert writing.keep(shelf, later, copy(), anyway=True).written


@pytest.mark.parametrize(
    "changes",
    [
        {"made_at": "2026-03-09T10:00:00Z"},  # a week later: history
        {"made_at": "2026-03-01T10:00:00Z"},  # the clock was set back
        {"content": "0" * 64},
        {"secrets": True},
        {"schema": ("jobs.0001_initial", "jobs.0002_more")},
    ],
)
def test_something_is_written_where_it_has(shelf: Shelf, changes: dict[str, Any]) -> None:
    writing.keep(shelf, manifest(), copy(), anyway=False)
    assert writing.keep(shelf, manifest(**changes), copy(**changes), anyway=False).written


def test_a_damaged_newest_one_is_written_anew(shelf: Shelf, folder: Path) -> None:
    kept = writing.keep(shelf, manifest(), copy(), anyway=False)
    whole = (folder / kept.name).read_bytes()
    (folder / kept.name).write_bytes(whole[:-40])
    assert writing.keep(shelf, manifest(), copy(), anyway=False).written


def test_what_samba_knows_of_people_is_added_where_secrets_are_kept(folders: Folders) -> None:
    (folders.workshop / "smbpasswd").write_text(
        f"root:0:{'X' * 32}:{'B' * 32}:[U          ]:LCT-1:\n{ANNA}\n"
    )
    (folders.spool / CONTENT).write_bytes(copy(secrets=True))
    report, data = writing.wanted(folders, CONTENT, with_secrets=True)
    assert report.members["smbpasswd"].size_bytes == len(ANNA) + 1
    assert data.startswith(b"\x1f\x8b")
    (folders.spool / CONTENT).write_bytes(copy())
    assert "smbpasswd" not in writing.wanted(folders, CONTENT, with_secrets=False)[0].members


def test_the_worker_cannot_have_something_else_kept(folders: Folders, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(copy())
    (folders.spool / CONTENT).symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="symbolic links"):
        writing.wanted(folders, CONTENT, with_secrets=False)
    (folders.spool / CONTENT).unlink()
    with pytest.raises(BadCopy, match="gone"):
        writing.wanted(folders, CONTENT, with_secrets=False)
    (folders.spool / CONTENT).write_bytes(copy(members={"smbpasswd": ANNA.encode()}))
    with pytest.raises(BadCopy, match="not what was asked for"):
        writing.wanted(folders, CONTENT, with_secrets=False)

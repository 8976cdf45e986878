"""An upgrade keeps the database as it was, and `nasweb-release back` puts that in place again.

What both run in Python is run here on files of a test; the drill is tests/lab/test_upgrade.py.
"""

from __future__ import annotations

import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ansible.units import ROLES

BACK = (ROLES / "services" / "files" / "sbin" / "nasweb-release").read_text()
COPIES = "/var/lib/nasweb/nasweb.sqlite3.before-"


def task(name: str, file: str) -> dict[str, Any]:
    """A task of the role app, also one within a block."""
    tasks: list[dict[str, Any]] = yaml.safe_load((ROLES / "app" / "tasks" / file).read_text())
    return next(one for task in tasks for one in (task, *task.get("block", ())) if one["name"] == name)


def play(program: str, monkeypatch: pytest.MonkeyPatch, *words: Path) -> None:
    """A program as `python3 -c` would run it."""
    monkeypatch.setattr(sys, "argv", ["-c", *map(str, words)])
    exec(compile(program, "program", "exec"), {"__name__": "__main__"})


def make_copy(monkeypatch: pytest.MonkeyPatch, database: Path, copy: Path) -> None:
    play(
        task("Keep a copy of the database as it was", "migrate.yml")["vars"]["app_copy"],
        monkeypatch,
        database,
        copy,
    )


def go_back(monkeypatch: pytest.MonkeyPatch, database: Path, copy: Path, left: Path) -> None:
    (program,) = [one for one in BACK.split("-c '")[1:] if "os.replace" in one]
    play(program.partition("\n' ")[0], monkeypatch, database, copy, left)


def says(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("select said from words order by said")]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """One in the mode of the console's, with a row."""
    path = tmp_path / "nasweb.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("create table words (said text)")
        connection.execute("insert into words values ('before')")
    return path


def add(database: Path, said: str) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("insert into words values (?)", (said,))


def test_both_name_the_copy_alike() -> None:
    report = task("Keep a copy of the database as it was", "migrate.yml")
    assert report["vars"]["app_backup"] == COPIES + "{{ app_release | basename }}"
    assert "database=/var/lib/nasweb/nasweb.sqlite3\n" in BACK
    assert "copy=$database.before-${current##*/}\n" in BACK
    removed = task("Remove those of releases that are gone", "switch.yml")
    assert COPIES in removed["loop"]


def test_what_was_set_since_the_upgrade_is_kept_beside(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, left = database.with_name("copy"), database.with_name("left")
    make_copy(monkeypatch, database, copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o660  # the worker writes by its group
    add(database, "since")
    go_back(monkeypatch, database, copy, left)
    assert (says(database), says(left)) == (["before"], ["before", "since"])
    assert not copy.exists()  # the next upgrade makes one of its own


def test_a_copy_that_was_cut_short_is_none(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = database.with_name("copy")
    copy.with_name("copy.partial").write_bytes(b"half of it")
    make_copy(monkeypatch, database, copy)
    assert says(copy) == ["before"]
    assert not copy.with_name("copy.partial").exists()


def test_nothing_changes_while_somebody_uses_the_database(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, left = database.with_name("copy"), database.with_name("left")
    make_copy(monkeypatch, database, copy)
    monkeypatch.setattr(sqlite3, "connect", _impatient(sqlite3.connect))
    with closing(sqlite3.connect(database)) as reader:
        reader.execute("begin")
        reader.execute("select * from words").fetchall()
        with pytest.raises((SystemExit, sqlite3.OperationalError)):
            go_back(monkeypatch, database, copy, left)
    assert copy.exists()
    assert not left.exists()


def _impatient(connect: Any) -> Any:
    """The same without waiting for others."""
    return lambda path, **more: connect(path, **(more | {"timeout": 0}))

"""An upgrade keeps the database as it was, and `nasweb-release back` puts that in place again.

What both run in Python is run here on files of a test; the drill is tests/lab/test_upgrade.py.
"""

from __future__ import annotations

import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ansible.units import ROLES

BACK = (ROLES / "services" / "files" / "sbin" / "nasweb-release").read_text()
MIGRATE = "Bring the database to the release's schema, or leave all as it was"
COPIES = "/var/lib/nasweb/nasweb.sqlite3.before-"


def task(name: str, file: str) -> dict[str, Any]:
    """A task of the role app, also one within a block, or what is done where that fails."""
    tasks: list[dict[str, Any]] = yaml.safe_load((ROLES / "app" / "tasks" / file).read_text())
    every = [one for task in tasks for one in (task, *task.get("block", ()), *task.get("rescue", ()))]
    return next(one for one in every if one["name"] == name)


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


def put_back(monkeypatch: pytest.MonkeyPatch, database: Path, copy: Path) -> None:
    program = task("Put the database back as it was", "migrate.yml")["vars"]["app_put_back"]
    play(program, monkeypatch, database, copy)


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
    report = task(MIGRATE, "migrate.yml")
    assert report["vars"]["app_backup"] == COPIES + "{{ app_release | basename }}"
    assert "database=/var/lib/nasweb/nasweb.sqlite3\n" in BACK
    assert "copy=$database.before-${current##*/}\n" in BACK
    removed = task("Remove those of releases that are gone", "switch.yml")
    assert COPIES in removed["loop"]


def order(file: str) -> list[str]:
    tasks = yaml.safe_load((ROLES / "app" / "tasks" / file).read_text())
    return [str(one["name"]) for one in tasks]


def test_a_release_is_on_the_disk_before_it_counts_as_complete_and_before_the_one_before_goes() -> None:
    *_, written, marked = order("release.yml")
    assert (written, marked) == ("Write it to the disk", "Mark the release as complete")
    tasks = order("switch.yml")
    pointed = tasks.index("Point to the release")
    assert tasks[pointed + 1] == "Write the links to the disk"
    assert pointed + 1 < tasks.index("Remove older ones")


def test_what_was_changed_is_restarted_though_a_later_role_fails() -> None:
    (play,) = yaml.safe_load((ROLES.parent / "site.yml").read_text())
    assert play["force_handlers"] is True


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


def test_each_try_of_an_upgrade_copies_the_database_as_it_is_then(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = database.with_name("copy")
    make_copy(monkeypatch, database, copy)
    add(database, "since")
    make_copy(monkeypatch, database, copy)
    assert says(copy) == ["before", "since"]
    assert (
        "creates"
        not in task("Keep a copy of the database as it was", "migrate.yml")["ansible.builtin.command"]
    )


def test_where_the_migration_fails_the_database_is_put_back_and_the_old_release_runs_on() -> None:
    tried = task(MIGRATE, "migrate.yml")
    assert [one["name"] for one in tried["block"]] == [
        "Stop the release that runs now", "Keep a copy of the database as it was", "Migrate the database",
    ]  # fmt: skip
    assert [one["name"] for one in tried["rescue"]] == [
        "Put the database back as it was", "Start the release that ran before", "Say what happened",
    ]  # fmt: skip
    # Never with a copy of an earlier try.
    assert tried["block"][1]["register"] == "app_copied"
    wanted = ["app_copied is defined", "app_copied is succeeded", "app_copied is not skipped"]
    assert tried["rescue"][0]["when"] == wanted
    assert tried["rescue"][2].keys() == {"name", "ansible.builtin.fail"}  # without a condition: the play ends


def test_what_a_migration_did_is_gone_once_the_copy_is_put_back(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = database.with_name("copy")
    make_copy(monkeypatch, database, copy)
    with closing(sqlite3.connect(database, isolation_level=None)) as cut_off:
        cut_off.execute("insert into words values ('migrated')")
        kept = {end: Path(f"{database}{end}").read_bytes() for end in ("-wal", "-shm")}
    for end, content in kept.items():  # as a program leaves them that was killed
        Path(f"{database}{end}").write_bytes(content)
    put_back(monkeypatch, database, copy)
    assert says(database) == ["before"]
    assert not copy.exists()


def test_a_copy_is_put_back_on_a_full_disk_too(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = database.with_name("copy")
    make_copy(monkeypatch, database, copy)
    add(database, "migrated")

    class Full(sqlite3.Connection):
        def execute(self, *_: Any) -> Any:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
            raise error

    connect = sqlite3.connect
    with monkeypatch.context() as full:
        full.setattr(sqlite3, "connect", lambda path, **more: connect(path, factory=Full, **more))
        put_back(full, database, copy)
    assert says(database) == ["before"]


@contextmanager
def in_use(database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody reads it, and nobody waits long for that to end."""
    monkeypatch.setattr(sqlite3, "connect", _impatient(sqlite3.connect))
    with closing(sqlite3.connect(database)) as reader:
        reader.execute("begin")
        reader.execute("select * from words").fetchall()
        yield


def test_no_copy_is_put_back_over_a_database_in_use(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = database.with_name("copy")
    make_copy(monkeypatch, database, copy)
    with in_use(database, monkeypatch), pytest.raises((SystemExit, sqlite3.OperationalError)):
        put_back(monkeypatch, database, copy)
    assert copy.exists()


def test_nothing_changes_while_somebody_uses_the_database(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, left = database.with_name("copy"), database.with_name("left")
    make_copy(monkeypatch, database, copy)
    with in_use(database, monkeypatch), pytest.raises((SystemExit, sqlite3.OperationalError)):
        go_back(monkeypatch, database, copy, left)
    assert copy.exists()
    assert not left.exists()


def _impatient(connect: Any) -> Any:
    """The same without waiting for others."""
    return lambda path, **more: connect(path, **(more | {"timeout": 0}))

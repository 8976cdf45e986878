"""A damaged or missing database: it is named, and its copies are brought back without it."""

from __future__ import annotations

import io
import runpy
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError
from django.db import DatabaseError, IntegrityError, OperationalError, connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from host.backup.folders import READY
from host.simulated import SimulatedHost
from machine.backup import damaged
from machine.backup.damaged import fault_of
from machine.backup.places import folders
from machine.backup.replace_database import put_in_place
from machine.management.commands import configuration
from nasweb import database as trouble
from tests.machine.backup.bench import database_file, pool, rows

WRECKS = {
    "zeros": lambda path: path.write_bytes(bytes(100_000)),
    "text": lambda path: path.write_text("hello"),
    "nothing": lambda path: path.write_bytes(b""),
    "missing": lambda path: path.unlink(),
    "torn": lambda path: path.write_bytes(path.read_bytes()[:20_000]),
    "overwritten": lambda path: path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 200_000),
}


def wreck(path: Path, how: str) -> None:
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA journal_mode=DELETE")
    file.close()
    WRECKS[how](path)


def said(*words: str) -> str:
    """What the command prints, with all that a command line does before it."""
    out = io.StringIO()
    # With --traceback an error is raised instead of ending the process.
    configuration.Command(stdout=out).run_from_argv(["manage.py", "configuration", "--traceback", *words])
    return out.getvalue()


def refuse(*_: Any, **__: Any) -> None:
    raise DatabaseError("database disk image is malformed")


@pytest.fixture
def broken(api: APIClient, simulated: SimulatedHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy on tank, and a database of which nothing can be read any more."""
    pool(api)
    said("keep")
    path = database_file(tmp_path)
    wreck(path, "overwritten")
    monkeypatch.setattr(configuration, "database", lambda: path)
    return path


@pytest.fixture
def no_database(broken: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Whoever asks the database all the same fails, as soon as it is opened."""
    monkeypatch.setattr(connection, "ensure_connection", refuse)
    # What an earlier test has found out of it is remembered there.
    monkeypatch.delitem(vars(connection.features), "supports_json_field", raising=False)
    return broken


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", WRECKS)
def test_damage_is_found(tmp_path: Path, how: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = database_file(tmp_path)
    assert fault_of(path) is None and damaged.main(str(path)) == 0
    wreck(path, how)
    assert fault_of(path)
    assert damaged.main(str(path)) == 1
    assert "cannot be used" in capsys.readouterr().err


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_busy_is_not_damaged(tmp_path: Path) -> None:
    path = database_file(tmp_path)
    held = sqlite3.connect(path, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    assert fault_of(path) is None
    held.close()


def test_copies_are_listed_without_it(no_database: None, simulated: SimulatedHost) -> None:
    (line,) = said("list").splitlines()
    assert line.startswith("tank\t") and line.endswith("Nasweb 0.1.0, without passwords")


def test_a_new_copy_is_refused_with_the_way_back(no_database: None) -> None:
    with pytest.raises(CommandError, match="nasweb configuration restore POOL --yes"):
        said("keep")


def test_it_is_restored_without_it(no_database: None) -> None:
    assert "Nothing was done. Add --yes to do it." in said("restore", "tank")
    assert not (folders().restored / READY).exists()
    assert "nasweb setup" in said("restore", "tank", "--yes")
    assert (folders().restored / READY).exists()


@pytest.mark.usefixtures("second_database")
@pytest.mark.parametrize("how", ["overwritten", "missing"])
def test_the_restored_one_takes_its_place(broken: Path, how: str, simulated: SimulatedHost) -> None:
    said("restore", "tank", "--yes")
    before = broken.read_bytes()
    if how == "missing":
        broken.unlink()
    row = put_in_place(broken)
    assert row is not None and row.succeeded
    assert fault_of(broken) is None
    assert rows(broken, "SELECT COUNT(*) FROM machine_restoration") == [(1,)]
    kept = broken.with_name(row.before)
    assert kept.read_bytes() == before if how == "overwritten" else not kept.exists()
    assert put_in_place(broken) is None


@pytest.mark.usefixtures("second_database")
def test_where_nobody_could_sign_in_the_first_account_is_made_anew(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said("restore", "tank", "--yes")
    monkeypatch.setattr(User.objects, "filter", refuse)
    assert put_in_place(broken) is not None
    assert rows(broken, "SELECT COUNT(*) FROM accounts_user") == [(0,)]


@pytest.mark.usefixtures("second_database")
def test_one_that_cannot_even_be_opened_is_replaced(no_database: Path) -> None:
    said("restore", "tank", "--yes")
    assert said("put-in-place").startswith("All settings are those of ")
    assert fault_of(no_database) is None
    assert rows(no_database, "SELECT succeeded FROM machine_restoration") == [(1,)]


def test_other_commands_end_with_the_way_back(no_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trouble, "_path", lambda: no_database)
    monkeypatch.setattr("sys.argv", ["manage.py", "setup"])
    with pytest.raises(SystemExit, match=r"is damaged .* “nasweb configuration restore POOL --yes”"):
        runpy.run_path(str(settings.BASE_DIR / "manage.py"), run_name="__main__")


def test_pages_and_the_api_name_it(
    no_database: Path, api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trouble, "_path", lambda: no_database)
    page = Client(raise_request_exception=False).get("/", follow=True)
    answer = api.get("/api/v1/jobs/")
    assert (page.status_code, answer.status_code) == (503, 503)
    assert "nasweb configuration restore" in page.content.decode()
    assert answer.json()["type"] == "/api/v1/problems/service-unavailable"
    assert "damaged" in answer.json()["detail"] and "nasweb configuration list" in answer.json()["detail"]


def test_a_full_disk_is_named_too(api: APIClient) -> None:
    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        if not sql.startswith("SELECT"):
            raise DatabaseError("database or disk is full")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        answer = api.post("/api/v1/tokens/", {"name": "x", "scopes": ["pools:read"]})
    assert answer.status_code == 503 and "is full" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("database is locked", "is busy"),
        ("attempt to write a readonly database", "read-only"),
        ("disk I/O error", "cannot be read or written"),
    ],
)
def test_what_passes_or_can_be_mended_is_named_with_a_way_on(api: APIClient, said: str, named: str) -> None:
    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        if not sql.startswith("SELECT"):
            raise OperationalError(said)
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        answer = api.post("/api/v1/tokens/", {"name": "x", "scopes": ["pools:read"]})
        page = Client(raise_request_exception=False).post(
            "/accounts/login/", {"login": "admin", "password": "correct horse battery"}
        )
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert named in answer.json()["detail"]
    assert (page.status_code, page["Retry-After"]) == (503, "30")
    assert named in page.content.decode()


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (IntegrityError("UNIQUE constraint failed"), None),
        (OperationalError("database is locked"), "The console's database is busy"),
    ],
)
def test_what_is_no_damage_does_not_have_the_whole_database_read(
    error: DatabaseError, named: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: Path) -> str:
        raise AssertionError

    monkeypatch.setattr(trouble, "fault_of", read)
    why = trouble.database_trouble(error)
    assert (why and why.partition(":")[0]) == named

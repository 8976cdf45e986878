"""`manage.py prepare`, with which `make run` begins."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from accounts.management.commands import prepare


@pytest.fixture
def called(db: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that it hands its work to, which do nothing here."""
    names: list[str] = []
    monkeypatch.setattr(prepare, "call_command", lambda name, *args, **options: names.append(name))
    monkeypatch.setattr(connections, "close_all", lambda: names.append("(close)"))
    return names


def test_what_has_its_schema_is_not_migrated_again(called: list[str]) -> None:
    call_command("prepare")
    assert called == ["collectstatic", "configuration", "(close)", "setup"]


def test_what_lacks_a_migration_gets_it_before_anything_reads_the_database(
    called: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Any] = [("jobs.0001_initial", False)]
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: waiting)
    call_command("prepare")
    assert called == ["collectstatic", "migrate", "configuration", "(close)", "setup"]

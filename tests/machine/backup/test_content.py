"""What a copy holds of the database, and when it counts as changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.db import connection
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from alerts.channels.models import Channel
from disks.models import DiskRecord
from host.inventory import Inventory
from jobs import cache
from jobs.audit import record
from jobs.models import Job, JobStep, State
from machine.backup import content
from machine.backup.tables import backup_tables
from nasweb.backup import BACKUP_TABLES


def known() -> Inventory:
    inventory = cache.current()
    assert inventory is not None
    return inventory


def read(data: bytes, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        return database.execute(question).fetchall()


def test_every_table_is_settings_history_or_not_worth_storing() -> None:
    models = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    assert {table.name for table in BACKUP_TABLES.tables} == models | {"django_migrations"}


def test_every_column_that_is_named_is_there() -> None:
    columns = {
        model._meta.db_table: {field.column for field in model._meta.local_concrete_fields}
        for model in apps.get_models(include_auto_created=True)
    }
    for table in BACKUP_TABLES.tables:
        assert {*table.counted, *table.blank} <= columns.get(table.name, set()), table.name
    assert set(BACKUP_TABLES.summary.values()) <= columns.keys()


@pytest.mark.usefixtures("simulated")
def test_a_copy_is_a_database_of_its_own(admin: User) -> None:
    data = content.snapshot(backup_tables().tables, with_secrets=True)
    assert read(data, "SELECT username FROM accounts_user") == [("admin",)]
    assert read(data, "PRAGMA integrity_check") == [("ok",)]
    assert read(data, "SELECT COUNT(*) FROM jobs_cachedinventory") == [(0,)]


@pytest.mark.usefixtures("simulated")
def test_without_secrets_no_hash_is_left_in_any_page(admin: User) -> None:
    tokens.create(name="script", scopes=("pools:read",), user=admin)
    Authenticator.objects.create(user=admin, type="totp", data={"secret": "TOTPSECRET"})
    now = timezone.now()
    Channel.objects.create(name="mail", kind="email", secrets={"password": "1:SEALED"}, created_at=now)
    hidden = [admin.password, admin.tokens.get().digest, "TOTPSECRET", "1:SEALED"]
    open_, shut = (
        content.snapshot(backup_tables().tables, with_secrets=secrets) for secrets in (True, False)
    )
    assert [text.encode() in open_ for text in hidden] == [True] * 4
    assert [text.encode() in shut for text in hidden] == [False] * 4
    (password,) = read(shut, "SELECT password FROM accounts_user")[0]
    assert password.startswith("!")
    assert read(shut, "SELECT COUNT(*) FROM accounts_token") == [(0,)]
    assert read(shut, "SELECT name, secrets FROM alerts_channel") == [("mail", '{"password":""}')]


@pytest.mark.usefixtures("simulated")
def test_what_waits_or_runs_is_not_kept() -> None:
    for state in (State.QUEUED, State.RUNNING, State.SUCCEEDED):
        job = Job.objects.create(
            operation="pool.scrub", request={}, plan={}, digest="", state=state, submitted_by="admin",
            submitted_at=timezone.now(),
        )  # fmt: skip
        JobStep.objects.create(job=job, index=0, title="x", commands=[])
        record("admin", "pool.scrub", "tank", job=job)
    data = content.snapshot(backup_tables().tables, with_secrets=False)
    assert read(data, "SELECT state FROM jobs_job") == [("succeeded",)]
    assert read(data, "PRAGMA foreign_key_check") == []
    assert read(data, "SELECT COUNT(*), COUNT(job_id) FROM jobs_auditevent") == [(3, 1)]
    assert read(data, "SELECT COUNT(*) FROM jobs_jobstep") == [(1,)]


@pytest.mark.usefixtures("simulated")
def test_the_database_itself_stays_as_it_was(admin: User) -> None:
    content.snapshot(backup_tables().tables, with_secrets=False)
    assert User.objects.get().check_password("correct horse battery")
    assert cache.current() is not None


@pytest.mark.usefixtures("simulated")
def test_the_digest_moves_with_settings_and_not_with_what_happens(admin: User) -> None:
    first = content.digest(known())
    record("admin", "pool.scrub", "tank")
    User.objects.update(last_login=timezone.now())
    DiskRecord.objects.update(last_seen=timezone.now(), verdict="good")
    assert content.digest(known()) == first
    DiskRecord.objects.filter(pk=DiskRecord.objects.all()[0].pk).update(note="spare screws")
    second = content.digest(known())
    assert second != first
    User.objects.create_user("viewer", "correct horse battery")
    assert content.digest(known()) not in {first, second}


@pytest.mark.usefixtures("simulated")
def test_the_digest_moves_with_a_password_that_only_samba_knows() -> None:
    before = content.digest(known())
    Job.objects.create(
        operation="person.password", request={}, plan={}, digest="", state=State.SUCCEEDED,
        submitted_by="admin", submitted_at=timezone.now(), finished_at=timezone.now(),
    )  # fmt: skip
    assert content.digest(known()) != before


@pytest.mark.django_db
def test_migrations_of_a_newer_release_are_known_as_such() -> None:
    schema = content.schema()
    assert content.unknown(schema) == ()
    assert content.unknown((*schema, "jobs.9999_future")) == ("jobs.9999_future",)
    assert connection.vendor == "sqlite"

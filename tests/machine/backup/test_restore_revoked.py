"""What a restore of the settings takes nothing back of: revoked tokens, and the audit log."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import Token, User
from accounts.roles import Role
from jobs import submission
from jobs.audit import record
from jobs.models import AuditEvent, Job
from machine.backup import content
from machine.backup.replace_database import put_in_place
from tests.machine.backup.bench import database_file, pool, rows
from tests.machine.backup.test_restore import OPERATION, owner, restore

__all__ = ["owner"]  # a fixture
pytestmark = pytest.mark.usefixtures("second_database")


def test_on_new_sticks_the_tokens_of_the_copy_work_again(owner: User, tmp_path: Path) -> None:
    restore(owner)
    database = database_file(tmp_path)
    put_in_place(database)
    found = rows(database, "SELECT revoked FROM accounts_token")
    assert found and set(found) == {(None,)}


@pytest.fixture
def since_monday(api: APIClient, admin: User) -> User:
    """A console that goes on after a copy with secrets: tokens and an account have gone since."""
    pool(api)
    row = content.settings_row()
    row.secrets = True
    row.save()
    gone = User.objects.create_user("gone", "another pass phrase", role=Role.ADMIN)
    for name, user in (("lost", admin), ("revoked", admin), ("its maker is gone", gone), ("kept", admin)):
        tokens.create(name=name, scopes=["pools:read"], user=user)
    record("anna", "before.copy", "it")
    submission.submit("configuration.keep", {}, admin)
    tokens.revoke(Token.objects.get(name="revoked"))
    Token.objects.get(name="lost").delete()  # as by a restore from a copy without secrets
    gone.delete()
    record("anna", "since.copy", "it", job=Job.objects.create(
        operation="x", request={}, plan={}, submitted_by="anna", submitted_at=timezone.now()
    ))  # fmt: skip
    return admin


def test_what_was_revoked_since_the_copy_stays_revoked(since_monday: User, tmp_path: Path) -> None:
    restore(since_monday)
    database = database_file(tmp_path)
    put_in_place(database)
    found = rows(database, "SELECT name FROM accounts_token WHERE revoked IS NOT NULL ORDER BY name")
    assert found == [("its maker is gone",), ("revoked",)]


def test_the_audit_log_goes_on_after_a_restore(since_monday: User, tmp_path: Path) -> None:
    plan = submission.prepare(OPERATION, {"pool": "tank"}, since_monday)
    assert "audit-log-stays" in [one.code for one in plan.findings]
    restore(since_monday)
    database = database_file(tmp_path)
    here = list(AuditEvent.objects.order_by("id").values_list("action", flat=True))
    put_in_place(database)
    assert rows(database, "SELECT action FROM jobs_auditevent ORDER BY id") == [(one,) for one in here]
    ((job,),) = rows(database, "SELECT job_id FROM jobs_auditevent WHERE action = 'since.copy'")
    assert job is None
    kept = rows(database, "SELECT operation FROM jobs_auditevent JOIN jobs_job ON jobs_job.id = job_id")
    assert ("pool.create",) in kept

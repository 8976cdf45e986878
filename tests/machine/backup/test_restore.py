"""New sticks, old pool: everything comes back, in one step or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from host.backup.folders import ORDER, READY, STAGED
from host.backup.manifest import KeptPeople, KeptPerson
from host.commands.copies import ImportSambaAccounts
from host.commands.shares.accounts import AddPerson, RemoveFromSamba, RemoveGroup, RemovePerson
from host.simulated import SimulatedHost
from jobs import submission
from jobs.models import Claim, Job, State
from jobs.plan import Refused
from machine.backup import content, replace_database
from machine.backup.models import KeptOn, Restoration
from machine.backup.places import folders
from machine.backup.replace_database import put_in_place
from machine.management.commands.configuration import CommandLine
from shares.models import SharingRow
from tests.conftest import refresh
from tests.contract.secrets import PASSWORD
from tests.machine.backup.bench import database_file, names, people, pool, rows
from tests.prepared import made_once

OPERATION = "configuration.restore"
pytestmark = pytest.mark.usefixtures("second_database")


@pytest.fixture
@made_once
def owner(api: APIClient, simulated: SimulatedHost, admin: User, settings: Any) -> User:
    """A pool whose copy has passwords in it; since then the sticks were lost, and `owner` has new ones."""
    pool(api)
    people(simulated, settings)
    SharingRow.objects.update_or_create(pk=1, defaults={"settings": {"name": "OLDNAS"}})
    row = content.settings_row()
    row.secrets = True
    row.save()
    submission.submit("configuration.keep", {}, admin)
    assert len(names(simulated)) == 1
    for name in ("anna", "bert"):
        if name == "anna":
            simulated.run(RemoveFromSamba(name=name))
        simulated.run(RemovePerson(name=name))
    simulated.run(RemoveGroup(name="kin"))
    User.objects.all().delete()
    SharingRow.objects.all().delete()
    row.delete()
    KeptOn.objects.all().delete()
    refresh()
    return User.objects.create_user("owner", "a new pass phrase", role=Role.ADMIN)


def restore(user: User | CommandLine, **data: Any) -> Job:
    asked = {"pool": "tank"} | data
    digest = submission.prepare(OPERATION, asked, user).digest
    job = submission.submit(OPERATION, asked, user, digest=digest)
    job.refresh_from_db()
    return job


def refused(user: User, **data: Any) -> list[str]:
    with pytest.raises(Refused) as refusal:
        restore(user, **data)
    return [one.code for one in refusal.value.findings if one.level == "error"]


def test_people_come_back_with_their_numbers_and_passwords(owner: User, simulated: SimulatedHost) -> None:
    job = restore(owner)
    assert job.state == "succeeded", job.error
    machine = simulated.machine()
    assert {name: one.uid for name, one in machine.people.items()} == {"anna": 30_000, "bert": 30_001}
    assert machine.groups["kin"].gid == 35_000
    assert sorted(machine.groups["kin"].members) == ["anna", "bert"]
    assert simulated.knows_password("anna", PASSWORD)
    assert "bert" not in machine.known_to_samba


def test_the_current_database_stays_until_the_console_starts_again(owner: User) -> None:
    restore(owner)
    assert list(User.objects.values_list("username", flat=True)) == ["owner"]
    assert (folders().restored / READY).exists()
    assert not (folders().restored / STAGED).exists()


def test_all_settings_are_back_after_the_start(owner: User, tmp_path: Path) -> None:
    job = restore(owner)
    database = database_file(tmp_path)
    row = put_in_place(database)
    assert row is not None
    assert (row.succeeded, row.by) == (True, "owner")
    assert rows(database, "SELECT username FROM accounts_user ORDER BY 1") == [("admin",), ("owner",)]
    assert rows(database, "SELECT settings FROM shares_sharingrow") == [('{"name": "OLDNAS"}',)]
    report = rows(database, "SELECT operation, state, submitted_by FROM jobs_job ORDER BY id DESC LIMIT 1")
    assert report == [(OPERATION, "succeeded", "owner")]
    steps = rows(database, "SELECT COUNT(*) FROM jobs_jobstep WHERE job_id = (SELECT MAX(id) FROM jobs_job)")
    assert steps == [(job.steps.count(),)]
    assert rows(database, 'SELECT succeeded, "by" FROM machine_restoration') == [(1, "owner")]


def test_whoever_restored_signs_in_as_before_and_the_others_as_they_did(owner: User, tmp_path: Path) -> None:
    restore(owner)
    database = database_file(tmp_path)
    put_in_place(database)
    found = dict(rows(database, "SELECT username, password FROM accounts_user"))
    assert User(password=found["owner"]).check_password("a new pass phrase")
    assert User(password=found["admin"]).check_password("correct horse battery")
    assert rows(database, "SELECT role FROM accounts_user WHERE username = 'owner'") == [("admin",)]


def test_whoever_restored_is_the_account_of_that_name_in_other_capitals(owner: User, tmp_path: Path) -> None:
    owner.username = "Admin"  # as the first account of this console was called; `admin` comes back
    owner.save()
    restore(owner)
    database = database_file(tmp_path)
    put_in_place(database)
    ((name, password),) = rows(database, "SELECT username, password FROM accounts_user")
    assert (name, User(password=password).check_password("a new pass phrase")) == ("Admin", True)


def test_after_a_restore_from_the_command_line_the_admins_of_this_console_sign_in(
    owner: User, tmp_path: Path
) -> None:
    User.objects.create_user("guest", "another pass phrase", role=Role.VIEWER)
    restore(CommandLine())
    database = database_file(tmp_path)
    put_in_place(database)
    found = dict(rows(database, "SELECT username, password FROM accounts_user"))
    assert User(password=found["owner"]).check_password("a new pass phrase")
    assert set(found) == {"owner", "admin"}


def test_the_database_before_is_kept_beside(owner: User, tmp_path: Path) -> None:
    restore(owner)
    database = database_file(tmp_path)
    row = put_in_place(database)
    assert row is not None
    before = tmp_path / row.before
    assert rows(before, "SELECT username FROM accounts_user") == [("owner",)]
    left = {path.name for path in tmp_path.iterdir() if path.name.startswith("nasweb.sqlite3")}
    assert left == {"nasweb.sqlite3", row.before}


def test_it_is_put_in_place_once(owner: User, tmp_path: Path) -> None:
    restore(owner)
    database = database_file(tmp_path)
    ordered = (folders().restored / READY).read_bytes()
    first = put_in_place(database)
    assert first is not None
    assert not (folders().restored / READY).exists()
    (folders().restored / READY).write_bytes(ordered)
    # What was ordered is still there, as when the power went before it was cleared.
    Restoration.objects.create(
        order=first.order, at=first.at, by="owner", host=first.host, made_at=first.made_at, succeeded=True
    )
    inode = database.stat().st_ino
    again = put_in_place(database)
    assert again is not None
    assert (again.order, database.stat().st_ino) == (first.order, inode)


def test_without_an_order_nothing_happens(owner: User, tmp_path: Path) -> None:
    database = database_file(tmp_path)
    inode = database.stat().st_ino
    assert put_in_place(database) is None
    assert database.stat().st_ino == inode


class PowerCut(BaseException):
    """Nothing of ours catches it."""


@pytest.mark.parametrize("point", ["_copy", "_make_ready", "_bring", "_exchange", "_sync"])
def test_when_the_power_goes_the_database_is_whole_and_the_next_start_goes_on(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    restore(owner)
    database = database_file(tmp_path)

    def cut(*_: object) -> None:
        raise PowerCut

    with monkeypatch.context() as patch:
        patch.setattr(replace_database, point, cut)
        with pytest.raises(PowerCut):
            put_in_place(database)
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]
    assert rows(database, "SELECT username FROM accounts_user") == [("owner",)]
    put_in_place(database)
    assert rows(database, "SELECT username FROM accounts_user ORDER BY 1") == [("admin",), ("owner",)]


def test_when_the_power_goes_after_the_rename_the_new_one_is_whole(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restore(owner)
    database = database_file(tmp_path)
    replace = Path.replace

    def cut(path: Path, target: Path) -> None:
        replace(path, target)
        raise PowerCut

    monkeypatch.setattr(Path, "replace", cut)
    with pytest.raises(PowerCut):
        put_in_place(database)
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]
    assert rows(database, "SELECT username FROM accounts_user ORDER BY 1") == [("admin",), ("owner",)]


def test_a_restored_database_that_is_damaged_is_not_put_in_place(owner: User, tmp_path: Path) -> None:
    restore(owner)
    database = database_file(tmp_path)
    ready = folders().restored / READY
    ready.write_bytes(ready.read_bytes()[:5000])
    row = put_in_place(database)
    assert row is not None
    assert row.succeeded is False
    assert rows(database, "SELECT username FROM accounts_user") == [("owner",)]
    assert Restoration.objects.get().said
    assert not (tmp_path / "nasweb.sqlite3.restored").exists()


def test_what_waited_there_is_not_carried_out_here(owner: User, tmp_path: Path) -> None:
    restore(owner)
    database = database_file(tmp_path)
    put_in_place(database)
    states = {state for (state,) in rows(database, "SELECT DISTINCT state FROM jobs_job")}
    assert not states & {"queued", "running"}
    assert rows(database, "SELECT COUNT(*) FROM jobs_claim") == [(0,)]


def test_an_older_database_is_brought_to_this_schema(owner: User, tmp_path: Path) -> None:
    restore(owner)
    database = database_file(tmp_path)
    ready = folders().restored / READY
    # As a release without notes in the room of the machine would have left it.
    for (table,) in rows(ready, "SELECT name FROM sqlite_schema WHERE name LIKE 'machine\\_%' ESCAPE '\\'"
                         " AND type = 'table'"):  # fmt: skip
        rows(ready, f"DROP TABLE {table}")
    rows(ready, "DELETE FROM django_migrations WHERE app = 'machine'")
    row = put_in_place(database)
    assert row is not None
    assert row.succeeded, row.said
    applied = rows(database, "SELECT app || '.' || name FROM django_migrations ORDER BY 1")
    assert tuple(one for (one,) in applied) == content.schema()
    # Its origin goes on: the copies it made are still its own.
    (origin,) = rows(database, "SELECT origin FROM machine_copysettingsrow")[0]
    order = msgspec.json.decode((folders().restored / ORDER).read_bytes())
    assert origin == order["manifest"]["origin"]


def test_a_copy_without_passwords_says_so_and_brings_the_rest(
    owner: User, simulated: SimulatedHost, tmp_path: Path
) -> None:
    submission.submit("configuration.keep", {}, owner)  # by the new console, which keeps none
    own = max(names(simulated), key=lambda name: name.startswith(content.settings_row().origin))
    plan = submission.prepare(OPERATION, {"pool": "tank", "copy": own}, owner)
    assert "no-secrets" in [one.code for one in plan.findings]
    assert restore(owner, copy=own).state == "succeeded"
    database = database_file(tmp_path)
    put_in_place(database)
    ((password,),) = rows(database, "SELECT password FROM accounts_user")
    assert User(password=password).check_password("a new pass phrase")
    assert simulated.machine().people == {}


def test_a_number_that_somebody_else_has_here_is_refused_by_name(
    owner: User, simulated: SimulatedHost
) -> None:
    simulated.run(AddPerson(name="eve", uid=30_000))
    simulated.run(AddPerson(name="bert", uid=30_007))
    refresh()
    assert refused(owner) == ["person-number-taken", "person-has-other-number"]
    assert not (folders().restored / STAGED).exists()


def test_people_who_are_here_already_are_left_as_they_are(owner: User, simulated: SimulatedHost) -> None:
    assert restore(owner).state == "succeeded"
    refresh()
    before = simulated.machine().people
    assert restore(owner).state == "succeeded"
    assert simulated.machine().people == before


def test_people_are_removed_again_where_their_passwords_do_not_come_back(
    owner: User, simulated: SimulatedHost
) -> None:
    simulated.fail_next(ImportSambaAccounts, stderr="tdb: out of space\n")
    job = restore(owner)
    assert job.state == "failed"
    machine = simulated.machine()
    assert (machine.people, "kin" in machine.groups) == ({}, False)
    assert not folders().restored.exists()
    assert list(User.objects.values_list("username", flat=True)) == ["owner"]


def test_a_copy_of_a_newer_release_is_refused_with_its_version(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "unknown", lambda _schema: ("jobs.9999_future",))
    assert refused(owner) == ["copy-newer"]


def test_a_damaged_copy_is_refused(owner: User, simulated: SimulatedHost) -> None:
    (path,) = (Path(simulated.machine().folder) / "copies").rglob("*.nasweb")
    path.write_bytes(path.read_bytes()[:-50])
    assert refused(owner) == ["copy-broken"]
    path.unlink()
    assert refused(owner) == ["copy-none"]


def test_a_copy_that_changed_since_the_plan_is_not_restored(owner: User, simulated: SimulatedHost) -> None:
    digest = submission.prepare(OPERATION, {"pool": "tank"}, owner).digest
    (path,) = (Path(simulated.machine().folder) / "copies").rglob("*.nasweb")
    shutil.copy(path, path.with_name(path.name.replace("-00000001-", "-00000002-")))
    with pytest.raises(submission.PlanStale):
        submission.submit(OPERATION, {"pool": "tank"}, owner, digest=digest)


def test_a_copy_that_was_sent_is_restored_too(owner: User, simulated: SimulatedHost) -> None:
    (path,) = (Path(simulated.machine().folder) / "copies").rglob("*.nasweb")
    folders().uploads.mkdir()
    sent = "ab" * 16
    os.link(path, folders().uploads / sent)
    assert restore(owner, pool=None, upload=sent).state == "succeeded"
    assert (folders().restored / READY).exists()


def test_the_name_comes_along_where_it_is_wished(owner: User, simulated: SimulatedHost) -> None:
    with simulated._store.change() as machine:
        machine.hostname = "fresh"
    refresh()
    plan = submission.prepare(OPERATION, {"pool": "tank"}, owner)
    assert "name-stays" in [one.code for one in plan.findings]
    plan = submission.prepare(OPERATION, {"pool": "tank", "name": True}, owner)
    assert any("Name the machine" in step.title for step in plan.steps)


def test_only_an_admin_restores(owner: User) -> None:
    operator = User.objects.create_user("operator", "correct horse battery", role=Role.OPERATOR)
    with pytest.raises(submission.Forbidden):
        submission.prepare(OPERATION, {"pool": "tank"}, operator)


def test_it_destroys_and_so_must_be_confirmed_by_the_name(owner: User) -> None:
    plan = submission.prepare(OPERATION, {"pool": "tank"}, owner)
    assert plan.confirm
    assert [loss.kept_by for loss in plan.destroys] == ["a file beside the database, until you delete it"]
    with pytest.raises(submission.ConfirmationRequired):
        submission.submit(OPERATION, {"pool": "tank"}, owner)


def test_jobs_that_run_are_interrupted_in_what_is_restored(owner: User, tmp_path: Path) -> None:
    restore(owner)
    ready = folders().restored / READY
    rows(ready, "UPDATE jobs_job SET state = 'queued'")
    database = database_file(tmp_path)
    put_in_place(database)
    assert rows(database, "SELECT COUNT(*) FROM jobs_job WHERE state = 'queued'") == [(0,)]
    assert Claim.objects.count() == 0
    assert State.INTERRUPTED in {state for (state,) in rows(database, "SELECT state FROM jobs_job")}


def test_the_table_of_people_is_checked_in_full(owner: User) -> None:
    kept = KeptPeople(people=(KeptPerson(name="anna", uid=30_000),))
    assert msgspec.json.decode(msgspec.json.encode(kept), type=KeptPeople) == kept
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"people":[{"name":"root","uid":0}]}', type=KeptPeople)
    assert connection.vendor == "sqlite"
    assert timezone.now()

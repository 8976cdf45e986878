"""Copies on the pools of a simulated machine, by hand and on schedule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from host.commands.copies import KeepCopy
from host.simulated import SimulatedHost
from jobs import cache, submission
from jobs.claims import overlap
from jobs.models import AuditEvent, Job
from jobs.plan import Refused
from machine.backup import content
from machine.backup.models import KeptOn
from machine.backup.tick import Keeper, tick
from tests.conftest import refresh
from tests.machine.backup.bench import copies, names, people, pool

OPERATION, ROUTINE = "configuration.keep", "configuration.follow"


def keep(user: Any, **data: Any) -> Job:
    job = submission.submit(OPERATION, data, user)
    job.refresh_from_db()
    return job


def test_a_copy_is_made_on_a_dataset_that_nobody_sees(
    api: APIClient, simulated: SimulatedHost, admin: User
) -> None:
    pool(api)
    job = keep(admin)
    assert job.state == "succeeded", job.error
    assert [step.title for step in job.steps.all()] == ["Back up to tank"]
    (command,) = [line for line in simulated.ran() if line[:2] == ["zfs", "create"]]
    assert command[-1] == "tank/.nasweb"
    assert "mountpoint=legacy" in command
    inventory = cache.current()
    assert inventory is not None
    assert [one.name for one in inventory.datasets] == ["tank"]
    assert [one.name for one in inventory.keeping] == ["tank/.nasweb"]
    ((report,),) = [found.copies for found in copies(simulated)]
    assert (report.host, report.secrets, report.ours, report.fits) == (
        inventory.facts.name,
        False,
        True,
        True,
    )
    assert report.holds["accounts"] == 1


@pytest.mark.usefixtures("simulated")
def test_whoever_makes_a_share_meanwhile_is_not_refused(api: APIClient) -> None:
    pool(api)
    planned = submission.prepare(ROUTINE, {"pools": ["tank"], "anyway": False}, Keeper())
    assert planned.claims == ("configuration:copies", "dataset:tank/.nasweb")
    assert not any(overlap(claim, "dataset:tank/films") for claim in planned.claims)
    # But the pool cannot go away under it.
    assert any(overlap(claim, "pool:tank") for claim in planned.claims)


def test_nothing_that_was_seen_by_the_plan_holds_a_secret(
    api: APIClient, simulated: SimulatedHost, admin: User, settings: Any
) -> None:
    pool(api)
    people(simulated, settings)
    row = content.settings_row()
    row.secrets = True
    row.save()
    job = keep(admin)
    assert job.state == "succeeded", job.error
    account = simulated.machine().known_to_samba["anna"]
    said = f"{job.plan}{[step.output + str(step.commands) for step in job.steps.all()]}{simulated.ran()}"
    assert account.hash not in said
    assert admin.password not in said


def test_there_must_be_a_pool_that_can_take_it(simulated: SimulatedHost, admin: User) -> None:
    with pytest.raises(Refused) as refused:
        keep(admin)
    assert [one.code for one in refused.value.findings] == ["no-pool"]
    with pytest.raises(Refused) as refused:
        keep(admin, pools=["tank"])
    assert [(one.code, one.field) for one in refused.value.findings] == [("cannot-keep", "pools[0]")]


def test_the_clock_keeps_what_was_set_and_rests_otherwise(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    now = timezone.now()
    tick(now)
    assert Job.objects.filter(operation=ROUTINE).count() == 1
    assert len(names(simulated)) == 1
    tick(now + timedelta(hours=1))
    assert Job.objects.filter(operation=ROUTINE).count() == 1
    User.objects.create_user("viewer", "correct horse battery")
    tick(now + timedelta(hours=1))
    assert len(names(simulated)) == 2
    assert not AuditEvent.objects.filter(action=ROUTINE).exists()


def test_several_settings_in_a_row_make_one_copy(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    now = timezone.now()
    tick(now)
    User.objects.create_user("viewer", "correct horse battery")
    tick(now + timedelta(minutes=1))
    assert len(names(simulated)) == 1
    tick(now + timedelta(minutes=4))
    assert len(names(simulated)) == 2


def test_a_copy_is_checked_once_a_day_and_written_only_where_it_is_damaged(
    api: APIClient, simulated: SimulatedHost
) -> None:
    pool(api)
    now = timezone.now()
    tick(now)
    KeptOn.objects.update(checked_at=now - timedelta(days=1))
    tick(now + timedelta(hours=1))
    assert Job.objects.filter(operation=ROUTINE).count() == 2
    assert len(names(simulated)) == 1
    row = KeptOn.objects.get()
    assert row.checked_at is not None
    assert row.checked_at >= now - timedelta(minutes=1)


def test_a_failure_is_tried_again_after_a_while(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    now = timezone.now()
    simulated.fail_next(KeepCopy, stderr="the pool has no space left\n", exit_status=3)
    tick(now)
    tick(now + timedelta(minutes=10))
    assert [job.state for job in Job.objects.filter(operation=ROUTINE)] == ["failed"]
    tick(now + timedelta(minutes=31))
    assert [job.state for job in Job.objects.filter(operation=ROUTINE)] == ["succeeded", "failed"]


def test_a_clock_that_is_set_back_stops_nothing(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    tick(datetime(2031, 1, 1, tzinfo=UTC))
    KeptOn.objects.update(checked_at=datetime(2031, 1, 1, tzinfo=UTC))
    tick(timezone.now())
    assert Job.objects.filter(operation=ROUTINE).count() == 2


def test_no_copy_takes_the_place_of_one_that_knows_more_while_samba_is_silent(
    api: APIClient, simulated: SimulatedHost, admin: User, settings: Any
) -> None:
    pool(api)
    people(simulated, settings)
    simulated.lose_samba()
    refresh()
    tick(timezone.now())
    assert not Job.objects.filter(operation=ROUTINE).exists()
    plan = submission.prepare(OPERATION, {}, admin)
    assert "samba-silent" in [one.code for one in plan.findings]


def test_nothing_is_kept_where_somebody_said_so(
    api: APIClient, simulated: SimulatedHost, admin: User
) -> None:
    pool(api)
    submission.submit("configuration.set-copies", {"enabled": False}, admin)
    tick(timezone.now())
    assert not Job.objects.filter(operation=ROUTINE).exists()


def test_to_put_passwords_into_copies_takes_an_admin(simulated: SimulatedHost, admin: User) -> None:
    class Operator:
        def has_perm(self, perm: str) -> bool:
            return perm != "users:write"

        def get_username(self) -> str:
            return "operator"

    with pytest.raises(submission.Forbidden):
        submission.submit("configuration.set-copies", {"secrets": True}, Operator())
    submission.submit("configuration.set-copies", {"secrets": True}, admin)
    assert content.settings_row().secrets


def test_a_pool_that_was_imported_read_only_is_left_alone(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    api.post("/api/v1/pools/tank/export/", {})
    api.post("/api/v1/pools/importable/", {})
    made = api.post("/api/v1/pools/import/", {"name": "tank", "readonly": True})
    assert made.data["state"] == "succeeded", made.data
    refresh()
    tick(timezone.now())
    assert not Job.objects.filter(operation=ROUTINE).exists()
    assert Keeper().has_perm("users:write") is False


@pytest.mark.usefixtures("simulated")
def test_a_pool_that_is_named_twice_is_refused(api: APIClient) -> None:
    pool(api)
    for path in ("configuration/copies/", "configuration/copies/?dry_run=true"):
        answer = api.post(f"/api/v1/{path}", {"pools": ["tank", "tank"]})
        assert answer.status_code == 422
        (finding,) = answer.json()["findings"]
        assert (finding["code"], finding["field"]) == ("duplicate-pool", "pools[1]")

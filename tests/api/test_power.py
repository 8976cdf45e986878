"""`system/restart/` and `system/shut-down/`."""

from __future__ import annotations

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from host.commands.shares.sessions import SambaStatus
from host.commands.system.power import DELAY_S
from host.simulated import SimulatedHost
from host.simulated.system.power import START_S
from jobs.models import AuditEvent, Job, State
from tests.conftest import caller, refresh
from tests.shares.sharing import did, faults

RESTART, SHUT_DOWN = "/api/v1/system/restart/", "/api/v1/system/shut-down/"


def running(operation: str, request: dict[str, object]) -> Job:
    now = timezone.now()
    return Job.objects.create(
        operation=operation, request=request, plan={"steps": []}, digest="", state=State.RUNNING,
        submitted_by="bob", submitted_at=now, started_at=now,
    )  # fmt: skip


def messages(answer: dict[str, object], level: str) -> dict[str, str]:
    findings = answer["findings"]
    assert isinstance(findings, list)
    return {one["code"]: one["message"] for one in findings if one["level"] == level}


def test_the_machine_restarts_once_the_job_has_ended(api: APIClient, simulated: SimulatedHost) -> None:
    before = api.get("/api/v1/system/").json()["booted_at"]
    job = did(api.post(RESTART))
    assert job["state"] == "succeeded"
    simulated.pass_time(DELAY_S + START_S)
    refresh()
    assert api.get("/api/v1/system/").json()["booted_at"] > before
    actions = list(AuditEvent.objects.filter(job_id=job["id"]).values_list("action", flat=True))
    assert "machine.restart" in actions


def test_a_dry_run_names_who_is_connected(api: APIClient, simulated: SimulatedHost) -> None:
    simulated.connect(person="ada", uid=30000, share="home", folder="/mnt/tank/home", files={"a.txt": "rw"})
    plan = api.post(f"{SHUT_DOWN}?dry_run=true").json()
    said = messages(plan, "warning")["interrupts"]
    assert "1 client connected: ada at 10.0.2.2 (SMB), with 1 open file, 1 being written." in said
    assert "a.txt" not in str(plan)
    assert simulated.machine().power is None
    assert Job.objects.count() == 0


def test_shares_that_do_not_answer_keep_nobody_from_it(api: APIClient, simulated: SimulatedHost) -> None:
    for _ in range(3):  # the preview, the submission and the job ask
        simulated.fail_next(SambaStatus, stderr="smbstatus: cannot connect")
    plan = api.post(f"{RESTART}?dry_run=true").json()
    assert "is not known" in messages(plan, "warning")["interrupts"]
    assert did(api.post(RESTART, {"digest": plan["digest"]}))["state"] == "succeeded"


def test_the_second_of_two_is_refused_with_the_job_of_the_first(
    api: APIClient, simulated: SimulatedHost
) -> None:
    first = did(api.post(RESTART))
    answer = api.post(SHUT_DOWN)
    assert faults(answer) == {("", "already-ordered")}
    assert f"job {first['id']} of admin" in str(answer.json())
    simulated.pass_time(DELAY_S + START_S)
    refresh()
    assert did(api.post(SHUT_DOWN))["state"] == "succeeded"


def test_a_job_that_must_not_be_cut_off_is_named(api: APIClient) -> None:
    job = running("pool.create", {"name": "tank"})
    answer = api.post(RESTART)
    assert faults(answer) == {("", "job-runs")}
    assert f"Job {job.pk} of bob" in str(answer.json())


@pytest.mark.parametrize("operation", ["snapshot.create", "machine.shut-down"])
def test_other_jobs_do_not_stand_in_the_way(api: APIClient, operation: str) -> None:
    running(operation, {"datasets": ["tank/files"], "name": "s1"})
    assert did(api.post(RESTART))["state"] == "succeeded"


def test_a_title_that_names_files_is_withheld(api: APIClient) -> None:
    running("snapshot.restore", {"snapshot": "tank/files@s1", "path": "Letters/secret.txt"})
    assert "secret.txt" not in str(api.post(f"{RESTART}?dry_run=true").json())


@pytest.mark.parametrize("url", [RESTART, SHUT_DOWN])
def test_it_needs_the_right_to_change_the_system(simulated: SimulatedHost, db: None, url: str) -> None:
    operator = User.objects.create_user("op", "correct horse battery", role=Role.OPERATOR)
    viewer = User.objects.create_user("eve", "correct horse battery", role=Role.VIEWER)
    assert caller(viewer, "system:write").post(url).status_code == 403
    assert caller(operator, "system:read").post(url).status_code == 403
    assert caller(operator, "system:write").post(f"{url}?dry_run=true").status_code == 200
    assert simulated.machine().power is None


def test_it_takes_no_fields(api: APIClient) -> None:
    assert faults(api.post(RESTART, {"when": "now"})) == {("when", "unknown-field")}


def test_a_job_that_waited_does_not_restart_it_a_second_time(
    api: APIClient, simulated: SimulatedHost
) -> None:
    digest = api.post(f"{RESTART}?dry_run=true").json()["digest"]
    did(api.post(RESTART, {"digest": digest}))
    simulated.pass_time(3600)
    refresh()
    answer = api.post(RESTART, {"digest": digest})
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (409, "plan-stale")

"""Writes are plans: shown first, then exactly that is done, or nothing."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES
from host.commands.pools.zpool import ZpoolCreate
from host.simulated import SimulatedHost
from jobs import broker
from jobs.models import Claim, Job, JobStep, State, StepState
from tests.conftest import caller, refresh


@pytest.fixture
def waiting_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs stay queued, as while the worker is away."""
    monkeypatch.setattr(broker, "send", lambda task, *args: True)


def test_a_dry_run_answers_with_the_plan_and_changes_nothing(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any]
) -> None:
    answer = api.post("/api/v1/pools/?dry_run=true", six_disks)
    plan = answer.json()
    assert answer.status_code == 200
    assert list(plan) == ["operation", "digest", "summary", "takes", "steps", "findings", "claims"]
    assert [step["title"] for step in plan["steps"]] == ["Prepare 6 disks", "Create pool tank"]
    assert plan["steps"][1]["commands"][0][:2] == ["zpool", "create"]
    assert plan["claims"] == ["pool:tank", *(f"disk:{disk}" for disk in six_disks["vdevs"][0]["disks"])]
    assert not Job.objects.exists() and simulated.ran() == []


def test_a_write_answers_with_the_job_and_its_address(api: APIClient, six_disks: dict[str, Any]) -> None:
    answer = api.post("/api/v1/pools/", six_disks)
    job = answer.json()
    assert answer.status_code == 202
    assert answer.headers["Location"] == f"/api/v1/jobs/{job['id']}/"
    assert (job["operation"], job["submitted_by"], job["error"]) == ("pool.create", "admin", None)
    assert api.get(answer.headers["Location"]).json() == job


def test_what_was_shown_is_what_runs(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any]
) -> None:
    plan = api.post("/api/v1/pools/?dry_run=true", six_disks).json()
    api.post("/api/v1/pools/", six_disks | {"digest": plan["digest"]})
    assert simulated.ran() == [command for step in plan["steps"] for command in step["commands"]]


def test_the_whole_path_of_a_dataset(api: APIClient, tank: dict[str, Any]) -> None:
    wait = {"prefer": "wait=10"}
    made = api.post("/api/v1/datasets/", {"name": "tank/media"}, headers=wait)
    assert (made.status_code, made.json()["state"]) == (202, "succeeded")
    body: dict[str, dict[str, str | None]] = {"properties": {"compression": "zstd"}}
    assert api.patch("/api/v1/datasets/tank/media/", body, headers=wait).json()["state"] == "succeeded"
    media = api.get("/api/v1/datasets/tank/media/").json()
    assert media["properties"]["compression"]["value"] == "zstd"
    body = {"properties": {"compression": None}}
    assert api.patch("/api/v1/datasets/tank/media/", body, headers=wait).json()["state"] == "succeeded"
    media = api.get("/api/v1/datasets/tank/media/").json()
    assert media["properties"]["compression"]["inherited_from"] == "tank"
    taken = api.post("/api/v1/snapshots/", {"datasets": ["tank/media"], "name": "before"}, headers=wait)
    assert taken.json()["state"] == "succeeded"
    snapshot = api.get("/api/v1/snapshots/tank/media@before/").json()
    assert (snapshot["dataset"], snapshot["tag"], snapshot["holds"]) == ("tank/media", "before", 0)


def test_destroying_needs_the_digest_of_the_plan(
    simulated: SimulatedHost, api: APIClient, tank: dict[str, Any]
) -> None:
    before = simulated.ran()
    answer = api.delete("/api/v1/pools/tank/")
    problem = answer.json()
    assert (answer.status_code, answer.headers["Content-Type"]) == (409, "application/problem+json")
    assert problem["type"].endswith("/confirmation-required")
    assert problem["plan"]["steps"][0]["destroys"][0]["pool"] == "tank"
    assert simulated.ran() == before
    answer = api.delete("/api/v1/pools/tank/", {"digest": problem["plan"]["digest"]})
    assert (answer.status_code, answer.json()["state"]) == (202, "succeeded")
    assert api.get("/api/v1/pools/tank/").status_code == 404


def test_a_dry_run_of_destroying_needs_no_digest(api: APIClient, tank: dict[str, Any]) -> None:
    answer = api.delete("/api/v1/pools/tank/?dry_run=true")
    assert (answer.status_code, answer.json()["operation"]) == (200, "pool.destroy")


def test_a_plan_that_changed_is_shown_anew_and_nothing_runs(
    simulated: SimulatedHost, api: APIClient, tank: dict[str, Any]
) -> None:
    plan = api.delete("/api/v1/pools/tank/?dry_run=true").json()
    api.post("/api/v1/datasets/", {"name": "tank/media"})
    before = simulated.ran()
    for address in ("/api/v1/pools/tank/", "/api/v1/pools/tank/?dry_run=true"):
        answer = api.delete(address, {"digest": plan["digest"]})
        problem = answer.json()
        assert answer.status_code == 409 and problem["type"].endswith("/plan-stale")
        assert problem["plan"]["digest"] != plan["digest"]
    assert simulated.ran() == before
    answer = api.delete("/api/v1/pools/tank/", {"digest": problem["plan"]["digest"]})
    assert answer.json()["state"] == "succeeded"


def test_a_disk_pulled_between_plan_and_run_stops_it(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any]
) -> None:
    plan = api.post("/api/v1/pools/?dry_run=true", six_disks).json()
    simulated.pull(six_disks["vdevs"][0]["disks"][0])
    job = api.post("/api/v1/pools/", six_disks | {"digest": plan["digest"]}).json()
    assert (job["state"], simulated.ran()) == ("failed", [])
    assert not Claim.objects.exists()
    refresh()
    answer = api.post("/api/v1/pools/", six_disks | {"digest": plan["digest"]})
    assert answer.status_code == 422
    assert [finding["code"] for finding in answer.json()["findings"]] == ["unknown-disk"]


def test_a_claimed_resource_is_busy_and_names_the_job(
    api: APIClient, six_disks: dict[str, Any], waiting_jobs: None
) -> None:
    job = api.post("/api/v1/pools/", six_disks).json()
    answer = api.post("/api/v1/pools/", six_disks | {"name": "other"})
    problem = answer.json()
    assert answer.status_code == 409 and problem["type"].endswith("/busy")
    assert problem["job"] == job["id"] and problem["resource"].startswith("disk:")
    assert Job.objects.count() == 1


def test_a_job_can_be_aborted_before_it_starts(
    api: APIClient, six_disks: dict[str, Any], waiting_jobs: None
) -> None:
    job = api.post("/api/v1/pools/", six_disks).json()
    assert job["state"] == "queued"
    answer = api.post(f"/api/v1/jobs/{job['id']}/abort/")
    assert (answer.status_code, answer.json()["state"]) == (202, "aborted")
    assert {step["state"] for step in answer.json()["steps"]} == {"skipped"}
    again = api.post(f"/api/v1/jobs/{job['id']}/abort/")
    assert again.status_code == 409 and again.json()["type"].endswith("/job-ended")
    assert api.post("/api/v1/pools/", six_disks).status_code == 202


def test_a_dry_run_of_aborting_says_what_would_be_skipped_and_changes_nothing(
    api: APIClient, six_disks: dict[str, Any], waiting_jobs: None
) -> None:
    job = api.post("/api/v1/pools/", six_disks).json()
    address = f"/api/v1/jobs/{job['id']}/abort/?dry_run=true"
    answer = api.post(address)
    assert (answer.status_code, answer.json()) == (
        200,
        {"job": job["id"], "ends": "now", "skips": ["Prepare 6 disks", "Create pool tank"]},
    )
    assert api.get(f"/api/v1/jobs/{job['id']}/").json() == job
    Job.objects.update(state=State.RUNNING)
    JobStep.objects.filter(index=0).update(state=StepState.RUNNING)
    answer = api.post(address).json()
    assert answer == {"job": job["id"], "ends": "before-next-step", "skips": ["Create pool tank"]}
    assert not Job.objects.filter(abort_requested=True).exists()
    Job.objects.update(state=State.SUCCEEDED)
    answer = api.post(address)
    assert answer.status_code == 409 and answer.json()["type"].endswith("/job-ended")


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_aborting_an_unknown_job_is_404(api: APIClient, query: str) -> None:
    assert api.post(f"/api/v1/jobs/99/abort/{query}").status_code == 404


@pytest.mark.parametrize("preference", ["wait=0", "respond-async", "wait=soon", "", "wait=-5"])
def test_without_a_wait_a_queued_job_is_answered_at_once(
    api: APIClient, six_disks: dict[str, Any], waiting_jobs: None, preference: str
) -> None:
    answer = api.post("/api/v1/pools/", six_disks, headers={"prefer": preference})
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    assert "Preference-Applied" not in answer.headers


def test_the_same_key_and_body_give_the_same_job(api: APIClient, six_disks: dict[str, Any]) -> None:
    key = {"idempotency-key": "9f1c"}
    first = api.post("/api/v1/pools/", six_disks, headers=key)
    again = api.post("/api/v1/pools/", six_disks, headers=key)
    assert (again.status_code, again.json()["id"]) == (202, first.json()["id"])
    assert again.headers["Location"] == first.headers["Location"]
    assert Job.objects.count() == 1


def test_the_same_key_with_another_body_is_refused(api: APIClient, tank: dict[str, Any]) -> None:
    key = {"idempotency-key": "9f1c"}
    api.post("/api/v1/datasets/", {"name": "tank/a"}, headers=key)
    answer = api.post("/api/v1/datasets/", {"name": "tank/b"}, headers=key)
    assert answer.status_code == 422 and answer.json()["type"].endswith("/idempotency-mismatch")
    assert api.get("/api/v1/datasets/tank/b/").status_code == 404


def test_keys_of_different_people_do_not_meet(
    api: APIClient, six_disks: dict[str, Any], tank: dict[str, Any]
) -> None:
    other = caller(User.objects.create_user("ada", "x", role="admin"), *SCOPES)
    key = {"idempotency-key": "9f1c"}
    first = api.post("/api/v1/datasets/", {"name": "tank/a"}, headers=key).json()
    second = other.post("/api/v1/datasets/", {"name": "tank/b"}, headers=key).json()
    assert first["id"] != second["id"]


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "schlüssel"])
def test_a_key_that_makes_no_sense_is_refused(api: APIClient, tank: dict[str, Any], key: str) -> None:
    raw = key.encode().decode("latin-1")
    answer = api.post("/api/v1/datasets/", {"name": "tank/a"}, HTTP_IDEMPOTENCY_KEY=raw)
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["field"] == "Idempotency-Key"


@pytest.mark.parametrize("where", ["query", "body"])
def test_recursive_may_stand_in_the_query_or_in_the_body(
    api: APIClient, tank: dict[str, Any], where: str
) -> None:
    for name in ("tank/a", "tank/a/b"):
        api.post("/api/v1/datasets/", {"name": name})
    assert api.delete("/api/v1/datasets/tank/a/?dry_run=true").status_code == 422
    query, body = ("&recursive=true", {}) if where == "query" else ("", {"recursive": True})
    plan = api.delete(f"/api/v1/datasets/tank/a/?dry_run=true{query}", body).json()
    answer = api.delete(f"/api/v1/datasets/tank/a/?{query[1:]}", body | {"digest": plan["digest"]})
    assert answer.json()["state"] == "succeeded"
    assert api.get("/api/v1/datasets/tank/a/b/").status_code == 404


def test_a_snapshot_is_destroyed_by_its_address(
    simulated: SimulatedHost, api: APIClient, tank: dict[str, Any]
) -> None:
    api.post("/api/v1/snapshots/", {"datasets": ["tank"], "name": "s1"})
    plan = api.delete("/api/v1/snapshots/tank@s1/?dry_run=true").json()
    assert plan["steps"][0]["commands"] == [["zfs", "destroy", "tank@s1"]]
    answer = api.delete("/api/v1/snapshots/tank@s1/", {"digest": plan["digest"]})
    assert answer.json()["state"] == "succeeded"
    assert simulated.ran()[-1] == ["zfs", "destroy", "tank@s1"]


def test_a_failed_command_fails_the_job_with_what_it_said(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any]
) -> None:
    simulated.fail_next(ZpoolCreate, stderr="cannot create 'tank': no such device\n")
    job = api.post("/api/v1/pools/", six_disks, headers={"prefer": "wait=5"}).json()
    assert [step["state"] for step in job["steps"]] == ["succeeded", "failed"]
    assert job["state"] == "failed" and "no such device" in job["error"]["detail"]
    assert "no such device" in job["steps"][1]["output"]


def test_capacity_is_computed_for_disks_that_stay_untouched(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any]
) -> None:
    answer = api.post("/api/v1/capacity/", {"vdevs": six_disks["vdevs"], "ashift": 12})
    capacity = answer.json()
    assert answer.status_code == 200 and simulated.ran() == []
    assert capacity["survives"] == 2 and 60 < capacity["efficiency"] < 67
    api.post("/api/v1/pools/", six_disks)
    assert api.get("/api/v1/pools/tank/").json()["capacity"]["usable_bytes"] == capacity["usable_bytes"]


def test_a_draid_pool_is_made_as_it_was_predicted(api: APIClient, free_disks: list[str]) -> None:
    vdevs = [{"layout": "draid2:3d:6c:1s", "disks": free_disks}]
    capacity = api.post("/api/v1/capacity/", {"vdevs": vdevs}).json()
    job = api.post("/api/v1/pools/", {"name": "tank", "vdevs": vdevs}).json()
    assert job["state"] == "succeeded", job
    pool = api.get("/api/v1/pools/tank/").json()
    assert pool["capacity"]["usable_bytes"] == capacity["usable_bytes"]
    assert [(vdev["name"], vdev["role"], vdev["state"]) for vdev in pool["vdevs"]] == [
        ("draid2:3d:6c:1s-0", "data", "ONLINE"),
        ("draid2-0-0", "spare", "AVAIL"),
    ]


def test_the_recommended_layout_can_be_created_as_it_was_answered(
    api: APIClient, free_disks: list[str], simulated: SimulatedHost
) -> None:
    advice = api.post("/api/v1/advice/", {"disks": free_disks, "use": "vms"}).json()
    assert advice["recommended"] == "mirror:3" and simulated.ran() == []
    (chosen,) = [layout for layout in advice["layouts"] if layout["recommended"]]
    assert [len(vdev["disks"]) for vdev in chosen["vdevs"]] == [2, 2, 2] and chosen["reasons"]
    job = api.post("/api/v1/pools/", {"name": "tank", "vdevs": chosen["vdevs"]}).json()
    assert job["state"] == "succeeded", job
    usable = api.get("/api/v1/pools/tank/").json()["capacity"]["usable_bytes"]
    assert usable == chosen["capacity"]["usable_bytes"]

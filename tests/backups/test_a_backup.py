"""A repository on a disk that is unplugged, from its making to a file that comes back."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from rest_framework.test import APIClient

from backups.following import follow
from backups.models import RepositoryRow, RunRow
from host.commands.datasets.snapshots import ZfsSnapshot
from host.simulated import SimulatedHost
from tests.backups.conftest import PASSWORD, STICK, done, end
from tests.conftest import refresh


def test_a_backup_is_made_followed_and_brought_back(api: APIClient, stick: SimulatedHost) -> None:
    job = done(api.post("/api/v1/backups/Photos/run/"))
    assert job["state"] == "succeeded", job
    follow(stick)
    running = api.get("/api/v1/backups/Photos/").json()
    assert running["state"] == "running"
    assert running["running"]["report"]["phase"] == "Reading tank/photos"
    end(stick)
    after = api.get("/api/v1/backups/Photos/").json()
    assert (after["state"], after["running"]) == ("fresh", None)
    assert after["last_run"]["words"] == "1 dataset is in the repository."
    assert after["datasets"][0]["stored_at"] == after["stored_at"] is not None

    stored = api.get("/api/v1/repositories/stick/snapshots/").json()["results"]
    assert [one["dataset"] for one in stored] == ["tank/photos"]
    files = f"/api/v1/repositories/stick/snapshots/{stored[0]['id']}/files/"
    top = api.get(files, {"path": "Letters"}).json()["results"]
    assert "Letters/neighbour.txt" in [one["path"] for one in top]
    restore = {"dataset": "tank/photos", "path": "Letters/neighbour.txt"}
    where = f"/api/v1/repositories/stick/snapshots/{stored[0]['id']}/restore/"
    assert done(api.post(where, restore))["state"] == "succeeded"
    end(stick)
    last = api.get("/api/v1/backup-runs/").json()["results"][0]
    assert last["words"] == f"neighbour (backup {stored[0]['id'][:8]}).txt is back."


def test_no_snapshot_of_it_stays(api: APIClient, stick: SimulatedHost) -> None:
    done(api.post("/api/v1/backups/Photos/run/"))
    end(stick)
    assert stick.machine().pools["tank"].datasets["tank/photos"].snapshots == []


def test_a_start_that_was_cut_off_keeps_no_later_one_from_running(
    api: APIClient, stick: SimulatedHost
) -> None:
    """The power went once the snapshots were taken: the run is not known, and the next is called the same."""
    plan = api.post("/api/v1/backups/Photos/run/?dry_run=true").json()
    (snapshot,) = [argv[-1] for step in plan["steps"] for argv in step["commands"] if "snapshot" in argv]
    stick.run(ZfsSnapshot(names=(snapshot,)))
    refresh()
    job = done(api.post("/api/v1/backups/Photos/run/"))
    assert job["state"] == "succeeded", job
    end(stick)
    assert api.get("/api/v1/backups/Photos/").json()["state"] == "fresh"
    assert stick.machine().pools["tank"].datasets["tank/photos"].snapshots == []


def test_a_check_proves_a_repository(api: APIClient, stick: SimulatedHost) -> None:
    assert api.get("/api/v1/repositories/stick/").json()["proven_at"] is None
    done(api.post("/api/v1/repositories/stick/check/"))
    end(stick)
    after = api.get("/api/v1/repositories/stick/").json()
    assert after["proven_at"] == after["last_check"]["finished_at"] is not None


def test_damage_is_said(api: APIClient, stick: SimulatedHost) -> None:
    with stick.change() as machine:
        machine.backups.places["/media/stick/backups"].damaged = True
    done(api.post("/api/v1/repositories/stick/check/"))
    end(stick)
    after = api.get("/api/v1/repositories/stick/").json()
    assert (after["proven_at"], after["last_check"]["code"]) == (None, "damaged")


def test_damage_holds_until_a_check_is_good(
    api: APIClient, stick: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backups.stored._KEPT_RUNS", 2)
    done(api.post("/api/v1/repositories/stick/check/"))
    end(stick)
    with stick.change() as machine:
        machine.backups.places["/media/stick/backups"].damaged = True
    done(api.post("/api/v1/repositories/stick/check/"))
    end(stick)
    damaged = api.get("/api/v1/repositories/stick/").json()["last_check"]
    repository = RepositoryRow.objects.get()
    for number in range(5):  # stopped, cut off, not reached
        RunRow.objects.create(
            run=f"{number:016}", action="check", repository=repository, started_at=timezone.now(),
            finished_at=timezone.now(), verdict="failed", code="no-disk",
        )  # fmt: skip
    done(api.post("/api/v1/backups/Photos/run/"))
    end(stick)
    after = api.get("/api/v1/repositories/stick/").json()
    assert (after["proven_at"], after["last_check"]["run"]) == (None, damaged["run"])
    with stick.change() as machine:
        machine.backups.places["/media/stick/backups"].damaged = False
    done(api.post("/api/v1/repositories/stick/check/"))
    end(stick)
    after = api.get("/api/v1/repositories/stick/").json()
    assert after["last_check"]["verdict"] == "good" and after["proven_at"] is not None


def test_a_second_run_waits(api: APIClient, stick: SimulatedHost) -> None:
    done(api.post("/api/v1/backups/Photos/run/"))
    assert codes(api.post("/api/v1/backups/Photos/run/")) == ["already-running"]
    assert codes(api.post("/api/v1/repositories/stick/check/")) == ["in-use"]


def test_a_run_is_stopped(api: APIClient, stick: SimulatedHost) -> None:
    done(api.post("/api/v1/backups/Photos/run/"))
    follow(stick)
    run = api.get("/api/v1/backups/Photos/").json()["running"]["run"]
    assert done(api.post(f"/api/v1/backup-runs/{run}/stop/"))["state"] == "succeeded"
    end(stick)
    after = api.get("/api/v1/backups/Photos/").json()
    assert (after["state"], after["last_run"]["verdict"]) == ("never", "stopped")


def test_a_report_that_is_gone_counts_as_cut_off(api: APIClient, stick: SimulatedHost) -> None:
    done(api.post("/api/v1/backups/Photos/run/"))
    with stick.change() as machine:
        machine.backups.runs.clear()
    end(stick)
    assert (RunRow.objects.get().verdict, RunRow.objects.get().code) == ("failed", "cut-off")


def test_the_wrong_password_opens_nothing(api: APIClient, stick: SimulatedHost) -> None:
    done(remove(api))
    again = {"name": "again", "password": "not this one", "local": STICK}
    job = done(api.post("/api/v1/repositories/import/", again))
    assert job["state"] == "failed"
    assert "does not open the repository" in str(job["error"])
    assert stick.machine().backups.kept == {}
    job = done(api.post("/api/v1/repositories/import/", again | {"password": PASSWORD}))
    assert job["state"] == "succeeded"


def remove(api: APIClient) -> Any:
    done(api.delete("/api/v1/backups/Photos/"))
    plan = api.delete("/api/v1/repositories/stick/?dry_run=true").json()
    assert plan["steps"][0]["destroys"][0]["settings"] == "the repository stick"
    return api.delete("/api/v1/repositories/stick/", {"digest": plan["digest"]})


def codes(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.json()
    return [one["code"] for one in answer.json()["findings"]]


def test_secrets_are_in_no_row_and_no_answer(api: APIClient, stick: SimulatedHost) -> None:
    assert PASSWORD not in str(list(RunRow.objects.values())) + str(stick.ran())
    assert AnonymousUser().is_authenticated is False
    assert PASSWORD not in api.get("/api/v1/repositories/").content.decode()
    assert PASSWORD not in api.get("/api/v1/jobs/").content.decode()

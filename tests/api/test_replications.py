"""Replications through the API: arranged, run, followed, and what cannot be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.commands.replication.runs import StartReplication
from host.replication.values import Target
from host.simulated import SimulatedHost
from jobs.models import StoredSchedule
from replication import tasks
from replication.models import RunRow, TargetRow, TaskRow
from replication.replications import following, proofs
from replication.stored import value_of
from tests.api.test_snapshots import do
from tests.conftest import caller, refresh
from tests.prepared import made_once

BASE = "/api/v1/replications/"
PHOTOS = {"name": "photos", "source": "tank/photos", "target": "second pool"}


@pytest.fixture
@made_once
def two(api: APIClient, free_disks: list[str], simulated: SimulatedHost) -> APIClient:
    """The pools tank and second, tank/photos and tank/photos/raw with a snapshot, and a target."""
    for name, disks in (("tank", free_disks[:2]), ("second", free_disks[2:3])):
        layout = "mirror" if len(disks) > 1 else "stripe"
        do(
            api,
            "post",
            "/api/v1/pools/",
            {"name": name, "vdevs": [{"role": "data", "layout": layout, "disks": disks}]},
        )
    for name in ("tank/photos", "tank/photos/raw"):
        do(api, "post", "/api/v1/datasets/", {"name": name})
    simulated.write("tank/photos", 300 << 20)
    do(api, "post", "/api/v1/snapshots/", {"datasets": ["tank/photos"], "name": "one", "recursive": True})
    guid = api.get("/api/v1/pools/second/").json()["guid"]
    target = Target(id=0, name="second pool", kind="pool", dataset="second", pool_guid=guid)
    TargetRow.objects.create(name=target.name, value=value_of(target))
    refresh()
    return api


def only(api: APIClient) -> dict[str, Any]:
    (found,) = api.get(BASE).json()["results"]
    return found  # type: ignore[no-any-return]


def ended(api: APIClient, simulated: SimulatedHost) -> dict[str, Any]:
    """The replication once its run is over."""
    simulated.pass_time(1000)
    following.follow(simulated)
    return only(api)


def test_one_is_arranged_run_and_followed(two: APIClient, simulated: SimulatedHost) -> None:
    plan = two.post(f"{BASE}?dry_run=true", PHOTOS).json()
    assert (
        "tank/photos with all below it is replicated to second/photos on second pool, from its"
        in plan["summary"]
    )
    do(two, "post", BASE, PHOTOS)
    made = only(two)
    assert (made["dataset"], made["raw"], made["copied_at"], made["running"]) == (
        "second/photos",
        True,
        None,
        False,
    )
    estimate = two.get(f"{BASE}{made['id']}/estimate/").json()["run"]
    assert [one["first"] for one in estimate["datasets"]] == [True, True]
    assert estimate["expected_bytes"] > 300 << 20
    do(two, "post", f"{BASE}{made['id']}/run/")
    assert only(two)["running"]
    under_way = two.get(f"{BASE}{made['id']}/progress/").json()["run"]
    assert (under_way["verdict"], under_way["words"]) == (None, "It is under way.")
    done = ended(two, simulated)
    assert (done["running"], done["last_verdict"], done["late"]) == (False, "done", False)
    assert done["last_words"] == "2 datasets up to date." and done["copied_at"]
    (run,) = two.get(f"{BASE}{made['id']}/runs/").json()["results"]
    assert (run["verdict"], run["datasets"]) == ("done", 2) and run["sent_bytes"] > 300 << 20
    refresh()
    assert two.get("/api/v1/datasets/second/photos/").json()["mounted"] is False


def test_nothing_is_asked_of_the_machine_while_nothing_runs(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, PHOTOS)
    before = len(simulated.ran())
    tasks.follow()
    assert len(simulated.ran()) == before and RunRow.objects.count() == 0


def test_a_replica_that_went_its_own_way_is_told_with_the_way_out(
    two: APIClient, simulated: SimulatedHost
) -> None:
    do(two, "post", BASE, PHOTOS)
    number = only(two)["id"]
    do(two, "post", f"{BASE}{number}/run/")
    first = ended(two, simulated)["copied_at"]
    simulated.run(ZfsSnapshot(names=("second/photos@own",)))
    simulated.run(ZfsSnapshot(names=("tank/photos@two",), recursive=True))
    do(two, "post", f"{BASE}{number}/run/")
    found = ended(two, simulated)
    assert found["last_verdict"] == "partly"
    assert "roll second/photos back to its snapshot one, which deletes them." in found["last_words"]
    assert found["copied_at"] == first, "the older of the two copies is what counts"


def test_it_runs_by_a_schedule_and_pauses(two: APIClient) -> None:
    do(two, "post", BASE, {**PHOTOS, "schedule": {"cron": "0 3 * * *", "time_zone": "Europe/Berlin"}})
    made = only(two)
    assert (made["schedule"]["cron"], made["schedule"]["enabled"]) == ("0 3 * * *", True)
    do(two, "patch", f"{BASE}{made['id']}/", {"enabled": False, "name": "pictures"})
    row = StoredSchedule.objects.get(operation="replication.run")
    assert (row.enabled, row.request) == (False, {"name": "pictures"})
    do(two, "patch", f"{BASE}{made['id']}/", {"schedule": None})
    assert only(two)["schedule"] is None


def test_it_is_deleted_with_its_marks_and_the_replica_stays(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, PHOTOS)
    number = only(two)["id"]
    do(two, "post", f"{BASE}{number}/run/")
    ended(two, simulated)
    do(two, "delete", f"{BASE}{number}/")
    assert TaskRow.objects.count() == 0
    machine = simulated.machine()
    assert [one.tag for one in machine.pools["second"].datasets["second/photos"].snapshots] == ["one"]
    assert machine.pools["tank"].datasets["tank/photos"].bookmarks == []


def test_limits_become_what_the_program_reads(two: APIClient, simulated: SimulatedHost) -> None:
    limit = {"bytes_per_s": 5_000_000, "start": "08:00", "end": "22:30"}
    do(two, "post", BASE, {**PHOTOS, "limits": [limit], "excluded": ["tank/photos/raw"]})
    assert only(two)["limits"] == [limit]
    plan = two.post(f"{BASE}{only(two)['id']}/run/?dry_run=true", {}).json()
    ((command,),) = [step["commands"] for step in plan["steps"]]
    assert '"start_min":480,"end_min":1350' in command[-1] and "tank/photos/raw" in command[-1]
    assert StartReplication.__name__ not in command


@pytest.mark.parametrize(
    ("wrong", "field", "code"),
    [
        ({"source": "tank/none"}, "source", "unknown-dataset"),
        ({"target": "none"}, "target", "unknown-target"),
        ({"dataset": "tank/photos/copy"}, "dataset", "outside-target"),
        ({"source": "second/x", "dataset": "second/x"}, "source", "unknown-dataset"),
        ({"name": " "}, "name", "bad-name"),
        ({"name": "a\u0007"}, "name", "bad-name"),
        ({"dataset": "second/../x"}, "dataset", "bad-name"),
        ({"excluded": ["tank/other"]}, "excluded[0]", "not-below"),
        ({"limits": [{"bytes_per_s": 0}]}, "limits[0].bytes_per_s", "bad-limit"),
        ({"limits": [{"bytes_per_s": 4096, "start": "8"}]}, "limits[0].start", "bad-time"),
        ({"limits": [{"bytes_per_s": 4096, "start": "10:00", "end": "10:00"}]}, "limits[0].end", "bad-time"),
        ({"schedule": {"cron": "0 0 31 2 *"}}, "schedule.cron", "bad-cron"),
        ({"schedule": {"cron": "0 3 * * *", "time_zone": "Mars"}}, "schedule.time_zone", "bad-time-zone"),
        ({"pull": True, "dataset": "second/x"}, "pull", "not-remote"),
    ],
)
def test_what_cannot_be_names_the_field(two: APIClient, wrong: dict[str, Any], field: str, code: str) -> None:
    answer = two.post(BASE, {**PHOTOS, **wrong})
    assert answer.status_code == 422, answer.json()
    assert (field, code) in {(one["field"], one["code"]) for one in answer.json()["findings"]}
    assert TaskRow.objects.count() == 0


def test_two_never_write_to_one_place_nor_run_in_a_circle(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, PHOTOS)
    again = two.post(BASE, {**PHOTOS, "name": "again", "dataset": "second/photos/below"})
    assert {"overlaps"} == {one["code"] for one in again.json()["findings"] if one["level"] == "error"}
    do(two, "post", f"{BASE}{only(two)['id']}/run/")
    ended(two, simulated)
    refresh()
    guid = two.get("/api/v1/pools/tank/").json()["guid"]
    target = Target(id=0, name="tank", kind="pool", dataset="tank", pool_guid=guid)
    TargetRow.objects.create(name=target.name, value=value_of(target))
    refresh()
    circle = {"name": "back", "source": "second/photos", "target": "tank", "dataset": "tank/photos"}
    found = two.post(BASE, circle).json()["findings"]
    assert "loop" in {one["code"] for one in found}


def test_what_runs_is_not_started_twice(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, PHOTOS)
    address = f"{BASE}{only(two)['id']}/run/"
    do(two, "post", address)
    again = two.post(address, {})
    assert again.status_code == 422
    assert [one["code"] for one in again.json()["findings"]] == ["already-running"]
    ended(two, simulated)
    do(two, "post", address)  # at once, although the machine was not probed since


def test_a_reader_starts_nothing(two: APIClient, admin: User) -> None:
    do(two, "post", BASE, PHOTOS)
    number = only(two)["id"]
    read_only = caller(admin, "pools:read")
    assert read_only.get(BASE).status_code == 200
    assert read_only.post(f"{BASE}{number}/run/", {}).status_code == 403
    assert read_only.post(BASE, PHOTOS).status_code == 403


def proven(api: APIClient, simulated: SimulatedHost) -> dict[str, Any]:
    simulated.pass_time(100)
    proofs.follow(simulated)
    return only(api)


def test_a_replica_is_proven_by_its_files(two: APIClient, simulated: SimulatedHost) -> None:
    simulated.furnish("tank/photos")
    simulated.run(ZfsSnapshot(names=("tank/photos@two",), recursive=True))
    do(two, "post", BASE, PHOTOS)
    number = only(two)["id"]
    do(two, "post", f"{BASE}{number}/run/")
    ended(two, simulated)
    do(two, "post", f"{BASE}{number}/prove/")
    assert only(two)["proving"]
    again = two.post(f"{BASE}{number}/prove/")
    assert (again.status_code, again.json()["findings"][0]["code"]) == (422, "already-running")
    found = proven(two, simulated)
    assert (found["proving"], found["proof_verdict"]) == (False, "same") and found["proven_at"]
    assert found["proof_words"].endswith("compared by hash: all the same.")
    first = found["proven_at"]
    with simulated.change() as machine:
        for file in machine.pools["second"].datasets["second/photos"].files:
            file.size += 1
    do(two, "post", f"{BASE}{number}/prove/")
    found = proven(two, simulated)
    assert (found["proof_verdict"], found["proven_at"]) == ("different", first)
    assert found["proof_words"].startswith("Files of second/photos differ from the source")


def test_it_is_proven_once_a_week_by_itself(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, PHOTOS)
    now = datetime.now(UTC)
    proofs.start(now, set())
    assert not only(two)["proving"], "there is nothing yet"
    do(two, "post", f"{BASE}{only(two)['id']}/run/")
    ended(two, simulated)
    proofs.start(now, set())
    assert only(two)["proving"]
    proven(two, simulated)
    proofs.start(now + timedelta(days=2), set())
    assert not only(two)["proving"]
    proofs.start(now + timedelta(days=8), set())
    assert only(two)["proving"]


def test_a_replica_becomes_live_once_nothing_writes_to_it(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, PHOTOS)
    number = only(two)["id"]
    do(two, "post", f"{BASE}{number}/run/")
    ended(two, simulated)
    refresh()
    live = {"dataset": "second/photos"}
    (error,) = two.post(f"{BASE}go-live/", live).json()["findings"]
    assert (error["code"], error["field"]) == ("in-use", "dataset")
    do(two, "delete", f"{BASE}{number}/")
    do(two, "post", f"{BASE}go-live/", live)
    found = two.get("/api/v1/datasets/second/photos/raw/").json()
    assert (found["mounted"], found.get("readonly", "off")) == (True, "off")
    assert two.post(f"{BASE}go-live/", live).json()["findings"][0]["code"] == "not-quiet"


def test_a_dataset_that_another_tool_has_named_with_a_space_is_replicated(
    two: APIClient, simulated: SimulatedHost
) -> None:
    simulated.run(ZfsCreate(name="tank/old photos"))
    simulated.run(ZfsSnapshot(names=("tank/old photos@one",)))
    refresh()
    do(two, "post", BASE, {"name": "old", "source": "tank/old photos", "target": "second pool"})
    do(two, "post", f"{BASE}{only(two)['id']}/run/")
    assert ended(two, simulated)["last_verdict"] == "done"
    assert simulated.machine().pools["second"].datasets["second/old photos"]


def test_only_what_belongs_to_it_is_dropped(two: APIClient) -> None:
    do(two, "post", BASE, PHOTOS)
    path = f"{BASE}{only(two)['id']}/drop-partial/"
    other = two.post(path, {"source": "tank/other"}).json()
    assert {one["code"] for one in other["findings"]} == {"not-in-it"}
    plan = two.post(f"{path}?dry_run=true", {"source": "tank/photos/raw"}).json()
    assert [loss["dataset"] for loss in plan["steps"][0]["destroys"]] == ["second/photos/raw"]
    job = two.post(path, {"source": "tank/photos/raw", "digest": plan["digest"]}).json()
    assert job["state"] == "failed", "there is none"


def test_the_doctor_closes_its_finding_once_a_copy_is_proven(
    two: APIClient, simulated: SimulatedHost
) -> None:
    def uncopied() -> list[str]:
        found = two.get("/api/v1/doctor/").json()["results"]
        return [one["subject"]["name"] for one in found if one["code"] == "no-copy"]

    simulated.furnish("tank/photos")
    assert "tank" in uncopied()
    do(two, "post", BASE, {**PHOTOS, "own_snapshots": True})
    do(two, "post", f"{BASE}{only(two)['id']}/run/")
    ended(two, simulated)
    refresh()
    assert "tank" in uncopied(), "it was not read back yet"
    do(two, "post", f"{BASE}{only(two)['id']}/prove/")
    proven(two, simulated)
    assert "tank" not in uncopied()
    with simulated.change() as machine:
        for file in machine.pools["second"].datasets["second/photos"].files:
            file.size += 1
    do(two, "post", f"{BASE}{only(two)['id']}/prove/")
    proven(two, simulated)
    refresh()
    assert "tank" in uncopied(), "it differs, whenever it was the same"


def test_what_no_report_is_left_of_does_not_run_for_ever(two: APIClient, simulated: SimulatedHost) -> None:
    """As on new flash drives with the old settings: the next run and the next proof can be started."""
    do(two, "post", BASE, PHOTOS)
    TaskRow.objects.update(running=True, proving=True)
    assert following.follow(simulated)
    proofs.follow(simulated)
    found = only(two)
    assert (found["running"], found["proving"]) == (False, False)
    do(two, "post", f"{BASE}{found['id']}/run/")


def test_one_that_was_deleted_a_moment_ago_is_not_found(two: APIClient) -> None:
    do(two, "post", BASE, PHOTOS)
    number = only(two)["id"]
    TaskRow.objects.all().delete()
    assert two.get(f"{BASE}{number}/").status_code == 404


def test_without_its_target_this_side_is_let_go_of(two: APIClient, simulated: SimulatedHost) -> None:
    do(two, "post", BASE, PHOTOS)
    do(two, "post", f"{BASE}{only(two)['id']}/run/")
    ended(two, simulated)
    do(two, "delete", f"{BASE}{only(two)['id']}/", {"unreachable": True})
    assert [argv for argv in simulated.ran() if "forget-here" in argv]
    assert not [argv for argv in simulated.ran() if "forget" in argv]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"own_snapshots": True}, "own_snapshots", "not-ours"),
        ({"after_snapshots": True}, "after_snapshots", "not-here"),
    ],
)
def test_a_change_is_held_to_what_can_be_pulled(
    two: APIClient, changes: dict[str, bool], field: str, code: str
) -> None:
    do(two, "post", BASE, PHOTOS)
    row, target = TaskRow.objects.get(), TargetRow.objects.get()
    TaskRow.objects.update(value=row.value | {"pull": True})
    TargetRow.objects.update(value=target.value | {"kind": "nasweb", "connection": "0" * 16})
    refresh()
    answer = two.patch(f"{BASE}{row.pk}/?dry_run=true", changes, format="json")
    assert answer.status_code == 422, answer.json()
    assert (field, code) in [(one["field"], one["code"]) for one in answer.json()["findings"]]

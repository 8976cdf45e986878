"""A replication that leads back: after its source was lost, and once its replica was worked with."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands.pools.zpool import ZpoolDestroy
from host.simulated import SimulatedHost
from replication import tasks
from replication.models import TaskRow
from replication.replications import following
from tests.api.test_replications import BASE, PHOTOS, only, two
from tests.api.test_snapshots import do
from tests.conftest import refresh

__all__ = ["two"]
SHARE = {"name": "Photos", "dataset": "tank/photos", "guests": "read"}


def ended(api: APIClient, simulated: SimulatedHost) -> dict[str, Any]:
    """The replication once its run is over, and that is known."""
    simulated.pass_time(1000)
    tasks.follow()
    return only(api)


def codes(answer: Any) -> dict[str, str]:
    """The findings of a refusal, or of a plan: the field by the code."""
    return {one["code"]: one["field"] for one in answer.json()["findings"]}


@pytest.fixture
def copied(two: APIClient, simulated: SimulatedHost) -> str:
    """The path of a replication that has run."""
    do(two, "post", BASE, PHOTOS)
    path = f"{BASE}{only(two)['id']}/"
    do(two, "post", f"{path}run/")
    ended(two, simulated)
    refresh()
    return path


def lose(api: APIClient, simulated: SimulatedHost, disks: list[str]) -> None:
    """The pool tank is gone, and a new one of that name is on other disks."""
    simulated.run(ZpoolDestroy(name="tank"))
    refresh()
    vdev = {"role": "data", "layout": "mirror", "disks": disks[:2]}
    do(api, "post", "/api/v1/pools/", {"name": "tank", "vdevs": [vdev]})


def test_a_lost_source_comes_back_with_what_it_had_and_is_replicated_again(
    two: APIClient, copied: str, simulated: SimulatedHost, free_disks: list[str]
) -> None:
    values = {"quota": str(5 << 30), "mountpoint": "/mnt/pictures"}
    do(two, "patch", "/api/v1/datasets/tank/photos/", {"properties": values})
    do(two, "patch", "/api/v1/datasets/tank/photos/raw/", {"properties": {"canmount": "off"}})
    do(two, "post", "/api/v1/shares/smb/", SHARE)
    do(two, "post", f"{copied}run/")
    ended(two, simulated)
    lose(two, simulated, free_disks[3:5])
    assert codes(two.post(f"{copied}forward/", {})) == {"leads-forward": "id"}
    do(two, "patch", copied, {"aim_hours": 48})

    plan = two.post(f"{copied}reverse/?dry_run=true", {}).json()
    assert plan["summary"].startswith("second/photos on second pool is copied back to tank/photos")
    do(two, "post", f"{copied}reverse/")
    assert codes(two.post(f"{copied}forward/?dry_run=true", {})) == {
        "nothing-back": "id", "running": "id",
    }  # fmt: skip
    back = ended(two, simulated)
    assert (back["leads_back"], back["last_verdict"], back["late"]) == (True, "done", False)
    refresh()
    found = two.get("/api/v1/datasets/tank/photos/raw/").json()
    assert (found["mounted"], found["properties"]["readonly"]["value"]) == (False, "on")
    do(two, "post", f"{BASE}{back['id']}/run/")
    assert ended(two, simulated)["last_verdict"] == "done", "a second run back finds all there"

    plan = two.post(f"{copied}forward/?dry_run=true", {}).json()
    assert [one["message"] for one in plan["findings"] if one["code"] == "share-back"] == [
        "The share Photos is served from tank/photos again."
    ]
    do(two, "post", f"{copied}forward/")
    refresh()
    found = two.get("/api/v1/datasets/tank/photos/").json()
    assert (found["mounted"], found["mountpoint"]) == (True, "/mnt/pictures")
    assert found["properties"]["readonly"]["value"] == "off"
    assert found["properties"]["quota"]["value"] == str(5 << 30)
    share = two.get("/api/v1/shares/smb/Photos/").json()
    assert share["dataset"] == "tank/photos"
    again = ended(two, simulated)
    assert (again["leads_back"], again["last_verdict"]) == (False, "done")
    assert (
        TaskRow.objects.get().value["source_guid"] == two.get("/api/v1/datasets/tank/photos/").json()["guid"]
    )


def test_it_comes_back_under_another_name_with_its_shares(
    two: APIClient, copied: str, simulated: SimulatedHost, free_disks: list[str]
) -> None:
    do(two, "post", "/api/v1/shares/smb/", SHARE)
    simulated.run(ZpoolDestroy(name="tank"))
    refresh()
    assert codes(two.post(f"{copied}reverse/", {})) == {"unknown-pool": "into"}
    assert codes(two.post(f"{copied}reverse/", {"into": "second"})) == {
        "bad-name": "into", "within-itself": "into",
    }  # fmt: skip
    assert codes(two.post(f"{copied}reverse/", {"into": "second/none/x"})) == {"unknown-dataset": "into"}
    assert codes(two.post(f"{copied}reverse/", {"into": "second/@x"})) == {"bad-name": "into"}
    do(two, "post", f"{copied}reverse/", {"into": "second/back"})
    ended(two, simulated)
    refresh()
    do(two, "post", f"{copied}forward/")
    refresh()
    assert two.get("/api/v1/shares/smb/Photos/").json()["dataset"] == "second/back"
    assert only(two)["source"] == "second/back"


def test_what_was_written_to_the_replica_meanwhile_comes_back(
    two: APIClient, copied: str, simulated: SimulatedHost
) -> None:
    replica = {"dataset": "second/photos"}
    assert codes(two.post(f"{BASE}go-live/", replica)) == {"in-use": "dataset"}
    do(two, "patch", copied, {"enabled": False})
    do(two, "post", f"{BASE}go-live/", replica)
    refresh()
    simulated.write("second/photos", 50 << 20)
    refresh()
    plan = two.post(f"{copied}reverse/?dry_run=true", {}).json()
    assert {"is-there", "replica-live"} <= {one["code"] for one in plan["findings"]}
    assert "tank/photos with 1 dataset below it are read-only and not mounted until you" in plan["summary"]
    do(two, "post", f"{copied}reverse/")
    refresh()
    source = two.get("/api/v1/datasets/tank/photos/").json()
    assert (source["mounted"], source["properties"]["readonly"]["value"]) == (False, "on"), "before it begins"
    assert ended(two, simulated)["last_verdict"] == "done"
    refresh()
    assert codes(two.post(f"{copied}forward/", {}))["replica-live"] == "id"
    do(two, "post", f"{BASE}freeze/", replica)
    refresh()
    assert codes(two.post(f"{BASE}freeze/", replica)) == {"is-quiet": "dataset"}
    assert codes(two.post(f"{BASE}freeze/", {"dataset": "tank"})) == {"not-replica": "dataset"}
    do(two, "post", f"{copied}run/")
    assert ended(two, simulated)["last_verdict"] == "done"
    do(two, "post", f"{copied}forward/")
    assert ended(two, simulated)["last_verdict"] == "done"
    following.start_after_snapshots()


def test_a_replica_that_was_written_to_goes_on_once_it_is_rolled_back(
    two: APIClient, copied: str, simulated: SimulatedHost
) -> None:
    replica = {"dataset": "second/photos"}
    do(two, "patch", copied, {"enabled": False})
    do(two, "post", f"{BASE}go-live/", replica)
    refresh()
    simulated.write("second/photos", 50 << 20)
    do(two, "post", "/api/v1/snapshots/", {"datasets": ["tank/photos"], "name": "later"})
    do(two, "post", f"{copied}run/")
    words = ended(two, simulated)["last_words"]
    assert "second/photos was written to after its newest snapshot" in words
    source = simulated.machine().pools["tank"].datasets["tank/photos"]
    assert [one.holds for one in source.snapshots if one.tag == "later"] == [{}], "it can be rolled back"
    refresh()
    do(two, "post", f"{BASE}freeze/", replica)
    refresh()
    common = two.get("/api/v1/snapshots/", {"dataset": "second/photos"}).json()["results"][0]["name"]
    assert f"roll it back to its snapshot {common.partition('@')[2]}" in words
    do(two, "post", f"/api/v1/snapshots/{common}/rollback/", {})
    do(two, "post", f"{copied}run/")
    assert ended(two, simulated)["last_verdict"] == "done"


def test_what_another_machine_sent_goes_live_without_programs_that_run_as_root(
    two: APIClient, copied: str
) -> None:
    do(two, "patch", copied, {"enabled": False})
    row = TaskRow.objects.get()
    row.target.value |= {"kind": "ssh", "connection": "0" * 16, "host": "10.0.0.7"}
    row.target.save()
    TaskRow.objects.update(value=row.value | {"pull": True, "enabled": False})
    refresh()
    do(two, "post", f"{BASE}go-live/", {"dataset": "second/photos"})
    properties = two.get("/api/v1/datasets/second/photos/").json()["properties"]
    assert (properties["setuid"]["value"], properties["devices"]["value"]) == ("off", "off")


def test_what_is_pulled_is_turned_on_the_other_machine(two: APIClient, copied: str) -> None:
    row = TaskRow.objects.get()
    TaskRow.objects.update(value=row.value | {"pull": True})
    refresh()
    assert codes(two.post(f"{copied}reverse/", {})) == {"pulled": "id"}

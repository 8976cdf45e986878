"""What reads answer: from the cached inventory, with its age, without asking the machine."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

import nasweb
from host.simulated import SimulatedHost
from jobs import broker, waiting
from jobs.models import CachedInventory
from tests.conftest import refresh

LISTS = ["disks/", "bays/", "pools/", "datasets/"]


def test_the_system_says_what_it_is(api: APIClient) -> None:
    system = api.get("/api/v1/system/").json()
    assert (system["host_kind"], system["version"], system["ecc"]) == (
        "simulated",
        nasweb.__version__,
        "unknown",
    )
    assert system["zfs_userland_version"].startswith("zfs-2.3")
    assert system["memory_bytes"] > 7_000_000_000 and system["uptime_seconds"] >= 0
    assert datetime.fromisoformat(system["as_of"]).utcoffset() is not None


def test_no_machine_is_told_by_what_was_remembered_of_another(
    api: APIClient, request: pytest.FixtureRequest
) -> None:
    assert api.get("/api/v1/system/").json()["ecc"] == "unknown"
    request.getfixturevalue("rack24")
    assert api.get("/api/v1/system/").json()["ecc"] == "yes"


@pytest.mark.parametrize("path", LISTS)
def test_lists_carry_the_age_of_what_they_tell(api: APIClient, path: str) -> None:
    answer = api.get(f"/api/v1/{path}").json()
    assert set(answer) == {"results", "next", "as_of"}
    assert answer["as_of"] == api.get("/api/v1/system/").json()["as_of"]


def test_a_free_disk_and_a_boot_disk(api: APIClient) -> None:
    disks = {disk["bay"]: disk for disk in api.get("/api/v1/disks/").json()["results"]}
    assert sorted(disks) == ["A1", "A2", "A3", "A4", "A5", "A6", "U1", "U2"]
    first = disks["A1"]
    assert first["used_by"] is None and first["in_use"] is False
    assert first["id"] == first["links"][0] and first["id"].startswith("ata-WDC_WD30EFRX")
    assert (first["size_bytes"], first["physical_sector_bytes"]) == (3_000_592_982_016, 4096)
    assert (first["medium"], first["transport"]) == ("hdd", "sata")
    assert disks["U1"]["used_by"] is not None and disks["U1"]["in_use"] is True


def test_a_disk_answers_to_each_of_its_names(api: APIClient, free_disks: list[str]) -> None:
    disk = api.get(f"/api/v1/disks/{free_disks[0]}/").json()
    for link in disk["links"]:
        assert api.get(f"/api/v1/disks/{link}/").json() == disk


def test_the_chassis_has_each_disk_in_its_bay(api: APIClient) -> None:
    groups = {group["name"]: group for group in api.get("/api/v1/chassis/").json()["groups"]}
    assert (groups["Disks"]["rows"], groups["Disks"]["columns"]) == (1, 6)
    bays = [bay for group in groups.values() for bay in group["bays"]]
    assert bays == api.get("/api/v1/bays/").json()["results"]
    disks = {disk["bay"]: disk["id"] for disk in api.get("/api/v1/disks/").json()["results"]}
    assert {bay["label"]: bay["disk"] for bay in bays} == disks
    assert {bay["known_by"] for bay in bays} == {"order"}


def test_a_pool_shows_its_tree_with_guids_disks_and_bays(tank: dict[str, Any], free_disks: list[str]) -> None:
    (vdev,) = tank["vdevs"]
    assert (vdev["name"], vdev["role"], vdev["state"]) == ("raidz2-0", "data", "ONLINE")
    assert [leaf["bay"] for leaf in vdev["children"]] == ["A1", "A2", "A3", "A4", "A5", "A6"]
    assert all(leaf["guid"].isdecimal() and leaf["path"].endswith("-part1") for leaf in vdev["children"])
    assert tank["ashift"] == 12 and tank["health"] == "healthy" and tank["scan"] is None
    capacity = tank["capacity"]
    assert capacity["usable_bytes"] == capacity["used_bytes"] + capacity["available_bytes"]
    assert 0 <= capacity["used_percent"] <= 100


def test_a_pulled_disk_shows_in_the_tree_and_leaves_its_bay(
    simulated: SimulatedHost, api: APIClient, tank: dict[str, Any], free_disks: list[str]
) -> None:
    simulated.pull(free_disks[2])
    assert api.get("/api/v1/pools/tank/").json()["state"] == "ONLINE"  # nobody looked yet
    refresh()
    pool = api.get("/api/v1/pools/tank/").json()
    leaf = pool["vdevs"][0]["children"][2]
    assert (pool["state"], pool["health"]) == ("DEGRADED", "degraded")
    assert (leaf["state"], leaf["disk"], leaf["bay"]) == ("REMOVED", None, None)


def test_a_property_says_where_its_value_comes_from(api: APIClient, tank: dict[str, Any]) -> None:
    api.post("/api/v1/datasets/", {"name": "tank/media", "properties": {"atime": "on"}})
    media = api.get("/api/v1/datasets/tank/media/").json()
    assert (media["pool"], media["parent"], media["mountpoint"]) == ("tank", "tank", "/mnt/tank/media")
    assert media["properties"]["atime"] == {
        "value": "on",
        "source": "local",
        "inherited_from": None,
        "received": None,
    }
    assert media["properties"]["compression"] == {
        "value": "lz4",
        "source": "inherited",
        "inherited_from": "tank",
        "received": None,
    }
    assert media["properties"]["recordsize"]["source"] == "default"


def test_a_volume_has_its_size(api: APIClient, tank: dict[str, Any]) -> None:
    api.post("/api/v1/datasets/", {"name": "tank/disk", "kind": "volume", "volume_bytes": 1 << 30})
    volume = api.get("/api/v1/datasets/tank/disk/").json()
    assert (volume["kind"], volume["volume_bytes"], volume["mountpoint"]) == ("volume", 1 << 30, None)


def test_reading_asks_the_machine_nothing(
    api: APIClient, tank: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimulatedHost, "run", lambda *_: pytest.fail("the machine was asked"))
    for path in ("system/", "disks/", "chassis/", "pools/tank/", "datasets/tank/", "snapshots/?dataset=tank"):
        assert api.get(f"/api/v1/{path}").status_code == 200, path


@pytest.mark.parametrize(
    "path",
    [
        "disks/ata-none/",
        "pools/none/",
        "pools/tank%00/",
        "datasets/tank/none/",
        "datasets//",
        "snapshots/tank@none/",
        "snapshots/tank/",
        "snapshots/?dataset=none",
        "jobs/99/",
        "jobs/999999999999999999999999/",
        "jobs/-1/",
        "tokens/99/",
        "nowhere/",
        "pools",
        "pools/tank/paint/",
    ],
)
def test_an_unknown_thing_is_404_in_json(api: APIClient, path: str) -> None:
    answer = api.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")


def test_a_forgotten_slash_is_named(api: APIClient) -> None:
    assert "/api/v1/pools/" in api.get("/api/v1/pools").json()["detail"]


def test_before_the_first_look_reads_say_so(api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_FIRST_PROBE_S", 0.0)
    CachedInventory.objects.all().delete()
    for path in ("system/", "disks/", "pools/tank/"):
        answer = api.get(f"/api/v1/{path}")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5"), path


def test_a_refresh_is_asked_for_and_can_be_waited_for(simulated: SimulatedHost, api: APIClient) -> None:
    before = api.get("/api/v1/system/").json()["as_of"]
    answer = api.post("/api/v1/inventory/refresh/", headers={"prefer": "wait=10"})
    assert answer.status_code == 200
    assert before < answer.json()["requested_at"] <= answer.json()["as_of"]
    assert api.post("/api/v1/inventory/refresh/").status_code == 202


def test_without_a_queue_a_refresh_says_so(api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "send", lambda task, *args: False)
    answer = api.post("/api/v1/inventory/refresh/", headers={"prefer": "wait=10"})
    assert answer.status_code == 503 and "queue" in answer.json()["detail"]


def test_without_a_queue_a_job_is_kept_and_waits(
    simulated: SimulatedHost, api: APIClient, six_disks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "send", lambda task, *args: False)
    answer = api.post("/api/v1/pools/", six_disks)
    assert (answer.status_code, answer.json()["state"], simulated.ran()) == (202, "queued", [])

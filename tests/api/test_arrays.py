"""md arrays through the API, on a rack of 24 disks: made, degraded, repaired, grown and taken apart."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES
from host.simulated import SimulatedHost
from tests.conftest import caller, refresh

_HOUR_S = 3600.0


@pytest.fixture
def rack(rack24: SimulatedHost, admin: User) -> APIClient:
    return caller(admin, *SCOPES)


@pytest.fixture
def free(rack: APIClient) -> list[str]:
    disks = rack.get("/api/v1/disks/").json()["results"]
    return [disk["id"] for disk in disks if disk["used_by"] is None]


def seen(rack: APIClient, name: str = "backup") -> dict[str, Any]:
    refresh()
    found: dict[str, Any] = rack.get(f"/api/v1/arrays/{name}/").json()
    return found


def do(rack: APIClient, what: str, /, **body: Any) -> dict[str, Any]:
    address = f"/api/v1/arrays/{what}"
    plan = rack.post(f"{address}?dry_run=true", body).json()
    answer = rack.post(address, body | {"digest": plan["digest"]})
    assert answer.status_code == 202, answer.json()
    job: dict[str, Any] = answer.json()
    assert job["state"] == "succeeded", job
    return job


def made(rack: APIClient, disks: list[str], level: int = 1) -> dict[str, Any]:
    do(rack, "", name="backup", level=level, disks=disks, fstype="ext4")
    return seen(rack)


def test_the_arrays_of_the_system_are_listed(rack: APIClient) -> None:
    arrays = rack.get("/api/v1/arrays/").json()["results"]
    assert [(one["name"], one["of_system"], one["level"]) for one in arrays] == [
        ("0", True, "raid1"),
        ("1", True, "raid1"),
    ]
    assert all(member["serial"] for one in arrays for member in one["members"])


def test_an_array_is_made_mounted_and_told(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    array = made(rack, free[:3], level=5)
    assert (array["degraded"], array["work"]["kind"]) == (True, "recovery")
    assert (array["fstype"], array["mountpoints"]) == ("ext4", ["/mnt/backup"])
    rack24.pass_time(12 * _HOUR_S)
    array = seen(rack)
    assert (array["degraded"], array["work"], array["in_sync"]) == (False, None, 3)
    assert [member["bay"] is not None for member in array["members"]] == [True] * 3


def test_a_pulled_disk_is_replaced(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    made(rack, free[:2])
    rack24.pass_time(12 * _HOUR_S)
    rack24.pull(free[1])
    assert seen(rack)["degraded"] is True
    do(rack, "backup/add/", disk=free[2])
    rack24.pass_time(12 * _HOUR_S)
    array = seen(rack)
    assert [member["disk"] for member in array["members"]] == [free[0], free[2]]
    assert array["in_sync"] == 2


def test_a_disk_that_comes_back_catches_up(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    made(rack, free[:2])
    rack24.pass_time(12 * _HOUR_S)
    rack24.pull(free[1])
    rack24.insert(free[1])
    refresh()
    job = do(rack, "backup/add/", disk=free[1])
    assert job["steps"][0]["commands"][0][3] == "--re-add"
    assert seen(rack)["degraded"] is False


def test_a_member_is_replaced_while_it_works(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    made(rack, free[:2])
    rack24.pass_time(12 * _HOUR_S)
    refresh()
    do(rack, "backup/replace/", member=free[0], disk=free[2])
    rack24.pass_time(12 * _HOUR_S)
    states = {member["disk"]: member["state"] for member in seen(rack)["members"]}
    assert states == {free[0]: "faulty", free[1]: "in sync", free[2]: "in sync"}
    do(rack, "backup/remove/", member=free[0])
    assert len(seen(rack)["members"]) == 2


def test_a_check_runs_and_counts(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    made(rack, free[:2])
    rack24.pass_time(12 * _HOUR_S)
    rack24.differ("backup", 128)
    refresh()
    do(rack, "backup/check/", action="start")
    assert seen(rack)["work"]["kind"] == "check"
    rack24.pass_time(12 * _HOUR_S)
    assert seen(rack)["mismatches"] == 128


def test_raid5_grows_by_a_disk(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    before = made(rack, free[:3], level=5)["size_bytes"]
    rack24.pass_time(12 * _HOUR_S)
    refresh()
    do(rack, "backup/grow/", what="disks", disks=[free[3]])
    assert seen(rack)["work"]["kind"] == "reshape"
    rack24.pass_time(12 * _HOUR_S)
    assert seen(rack)["size_bytes"] == before // 2 * 3
    do(rack, "backup/grow/", what="space")


def test_an_array_is_destroyed_only_when_that_was_read(
    rack: APIClient, rack24: SimulatedHost, free: list[str]
) -> None:
    made(rack, free[:2])
    address = "/api/v1/arrays/backup/"
    unread = rack.delete(address)
    assert unread.status_code == 409 and unread.json()["type"].endswith("confirmation-required")
    digest = rack.delete(f"{address}?dry_run=true").json()["digest"]
    assert rack.delete(address, {"digest": digest}).json()["state"] == "succeeded"
    refresh()
    assert rack.get(address).status_code == 404
    freed = {disk["id"] for disk in rack.get("/api/v1/disks/").json()["results"] if not disk["used_by"]}
    assert set(free) <= freed


def test_an_array_that_waits_is_started(rack: APIClient, rack24: SimulatedHost, free: list[str]) -> None:
    made(rack, free[:2])
    rack24.pass_time(12 * _HOUR_S)
    rack24.halt_array("backup")
    assert seen(rack)["running"] is False
    do(rack, "backup/start/")
    assert seen(rack)["running"] is True


@pytest.mark.parametrize("what", ["", "add/", "replace/", "remove/", "check/", "start/", "grow/"])
def test_an_unknown_array_is_not_found(rack: APIClient, what: str) -> None:
    address = f"/api/v1/arrays/nope/{what}"
    answer = rack.get(address) if not what else rack.post(address, {})
    assert answer.status_code == 404


def test_reading_takes_a_scope_and_writing_another(rack24: SimulatedHost, admin: User) -> None:
    assert caller(admin, "disks:read").get("/api/v1/arrays/").status_code == 403
    reader = caller(admin, "pools:read")
    assert reader.get("/api/v1/arrays/").status_code == 200
    assert reader.post("/api/v1/arrays/0/check/", {}).status_code == 403

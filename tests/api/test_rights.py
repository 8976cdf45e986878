"""Rights of folders through the API."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from host.commands.datasets.zfs import ZfsCreate, ZfsUnmount
from host.commands.shares.accounts import AddGroup, AddPerson, SetMembers
from host.simulated import SimulatedHost
from tests.conftest import caller, refresh
from tests.prepared import made_once

HERE = "/api/v1/shares/rights/"


@pytest.fixture
@made_once
def home(simulated: SimulatedHost, tank: dict[str, Any]) -> SimulatedHost:
    """A dataset with files, ada and bob in the group family, and eve in none."""
    simulated.run(ZfsCreate(name="tank/home"))
    simulated.furnish("tank/home")
    for number, name in enumerate(("ada", "bob", "eve")):
        simulated.run(AddPerson(name=name, uid=30000 + number))
    simulated.run(AddGroup(name="family", gid=35000))
    simulated.run(SetMembers(group="family", members=("ada", "bob")))
    refresh()
    return simulated


def report(api: APIClient) -> dict[str, Any]:
    answer = api.get(f"{HERE}?dataset=tank/home")
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def test_a_new_dataset_is_read_by_everyone(home: SimulatedHost, api: APIClient) -> None:
    found = report(api)
    assert (found["owner"], found["access"], found["default"]) == (
        "root", ["user::rwx", "group::r-x", "other::r-x"], [],
    )  # fmt: skip
    assert (found["everyone"], found["inherits"], found["run"]) == ("read", False, None)
    assert [one["effective"]["level"] for one in found["people"]] == ["read", "read", "read"]


def test_rights_are_set_and_explained(home: SimulatedHost, api: APIClient) -> None:
    body = {"dataset": "tank/home", "read": ["@family"], "write": ["ada"]}
    plan = api.post(f"{HERE}?dry_run=true", body).json()
    assert "eve loses reading; after: nothing." in [one["message"] for one in plan["findings"]]
    job = api.post(HERE, body | {"digest": plan["digest"]})
    assert (job.status_code, job.json()["state"]) == (202, "succeeded")
    found = report(api)
    assert (found["read"], found["write"], found["everyone"]) == (["@family"], ["ada"], "none")
    assert (found["group"], found["inherits"]) == ("nasweb-people", True)
    levels = {one["name"]: one["effective"] for one in (*found["people"], *found["groups"])}
    assert {name: one["level"] for name, one in levels.items()} == {
        "ada": "write", "bob": "read", "eve": "none", "@family": "read",
    }  # fmt: skip
    assert levels["bob"]["why"] == "bob may read, because family may."


def test_files_that_are_there_follow_and_can_be_stopped(home: SimulatedHost, api: APIClient) -> None:
    body = {"dataset": "tank/home", "write": ["@family"], "apply_to_existing": True}
    assert api.post(HERE, body).json()["state"] == "succeeded"
    home.pass_time(10)
    run = report(api)["run"]
    assert (run["verdict"], run["files"] > 0) == (None, True)
    again = api.post(f"{HERE}?dry_run=true", body)
    assert [one["code"] for one in again.json()["findings"] if one["level"] == "error"] == [
        "already-applying"
    ]
    assert api.post(f"{HERE}stop/", {"dataset": "tank/home"}).json()["state"] == "succeeded"
    over = api.post(f"{HERE}stop/", {"dataset": "tank/home"})
    assert (over.status_code, over.json()["findings"][0]["code"]) == (422, "has-ended")


def test_a_folder_has_rights_of_its_own(home: SimulatedHost, api: APIClient) -> None:
    body = {"dataset": "tank/home", "folder": "Letters", "read": ["eve"]}
    assert api.post(HERE, body).json()["state"] == "succeeded"
    inner = api.get(f"{HERE}?dataset=tank/home&folder=Letters").json()
    assert (inner["read"], inner["folder"]) == (["eve"], "Letters")
    assert report(api)["read"] == []


def test_what_is_not_there_or_cannot_be_reached(home: SimulatedHost, api: APIClient) -> None:
    assert api.get(HERE).status_code == 422
    assert api.get(f"{HERE}?dataset=tank/none").status_code == 404
    assert api.get(f"{HERE}?dataset=tank/home&folder=gone").status_code == 404
    assert api.get(f"{HERE}?dataset=tank/home&folder=../etc").status_code == 422
    gone = api.post(HERE, {"dataset": "tank/home", "folder": "gone", "everyone": "read"})
    assert (gone.status_code, gone.json()["findings"][0]["field"]) == (422, "folder")
    home.run(ZfsUnmount(name="tank/home"))
    refresh()
    shut = api.get(f"{HERE}?dataset=tank/home")
    assert (shut.status_code, shut.json()["findings"][0]["code"]) == (422, "not-mounted")


def test_scopes(home: SimulatedHost, admin: User) -> None:
    reader = caller(admin, "shares:read")
    assert reader.get(f"{HERE}?dataset=tank/home").status_code == 200
    assert reader.post(HERE, {"dataset": "tank/home"}).status_code == 403
    assert caller(admin, "pools:write").get(f"{HERE}?dataset=tank/home").status_code == 403

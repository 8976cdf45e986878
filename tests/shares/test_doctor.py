"""What the doctor says of shares."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands.shares.sharing import PATHS
from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import dataset, did, person, smb


@pytest.fixture
@made_once
def files(api: APIClient, tank: dict[str, Any]) -> APIClient:
    dataset(api, "tank/files")
    person(api, "anna")
    smb(api, "Files", write=["anna"])
    return api


def findings(api: APIClient) -> dict[str, dict[str, Any]]:
    refresh()
    found = api.get("/api/v1/doctor/").json()["results"]
    return {one["code"]: one for one in found if one["code"].startswith("shares-")}


def test_shares_that_are_served_are_no_finding(files: APIClient) -> None:
    assert findings(files) == {}


def test_a_file_that_was_changed_by_hand_is_reported_with_the_plan_that_mends_it(
    files: APIClient, simulated: SimulatedHost
) -> None:
    with simulated._store.change() as machine:
        machine.files[PATHS["samba"]] += "[mine]\n"
    finding = findings(files)["shares-changed-by-hand"]
    assert finding["evidence"] == [{"name": "Changed", "value": "/etc/samba/nasweb.conf"}]
    assert finding["fix"][0]["operation"] == "sharing.apply"


def test_a_service_that_does_not_run_leaves_shares_unserved(
    files: APIClient, simulated: SimulatedHost
) -> None:
    with simulated._store.change() as machine:
        machine.services["smbd"] = "failed"
    finding = findings(files)["shares-not-served"]
    assert {"name": "Not served", "value": "SMB: Files"} in finding["evidence"]
    assert {"name": "smbd", "value": "failed"} in finding["evidence"]


def test_shares_that_are_not_announced_are_reported(files: APIClient, simulated: SimulatedHost) -> None:
    with simulated._store.change() as machine:
        machine.services["avahi-daemon"] = "inactive"
    found = findings(files)
    assert found.keys() == {"shares-not-announced"}
    assert found["shares-not-announced"]["evidence"] == [
        {"name": "avahi-daemon", "value": "inactive"},
        {"name": "Not announced", "value": "shares of SMB"},
    ]
    assert found["shares-not-announced"]["fix"][0]["commands"] == ["sudo systemctl enable --now avahi-daemon"]


def test_nobody_misses_what_there_is_nothing_to_announce_of(api: APIClient, simulated: SimulatedHost) -> None:
    with simulated._store.change() as machine:
        machine.services["avahi-daemon"] = "failed"
    assert findings(api) == {}


def test_a_share_that_waits_says_for_what(files: APIClient) -> None:
    did(files.post("/api/v1/datasets/tank/files/unmount/", {}))
    (evidence,) = findings(files)["shares-waiting"]["evidence"]
    assert evidence == {
        "name": "SMB: Files",
        "value": "tank/files is not mounted. The share comes back once it is mounted.",
    }

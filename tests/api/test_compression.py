"""What compression would make of a dataset's files, through the API."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.compression.codecs import NAMES
from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.prepared import made_once

HERE = "/api/v1/compression/tank/home/"


@pytest.fixture
@made_once
def home(simulated: SimulatedHost, tank: dict[str, Any]) -> SimulatedHost:
    """A dataset with files, and one without a snapshot."""
    simulated.run(ZfsCreate(name="tank/home"))
    simulated.run(ZfsCreate(name="tank/new"))
    simulated.furnish("tank/home")
    simulated.run(ZfsSnapshot(names=("tank/home@zz",)))
    refresh()
    return simulated


def report(api: APIClient) -> dict[str, Any]:
    answer = api.get(HERE)
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def code(answer: Any) -> str:
    assert answer.status_code == 422, answer.json()
    (finding,) = answer.json()["findings"]
    return str(finding["code"])


def test_it_is_measured_and_one_compression_recommended(home: SimulatedHost, api: APIClient) -> None:
    before = report(api)
    assert (before["run"], before["options"], before["recommended"]) == (None, [], None)
    assert "zfs rewrite -r /mnt/tank/home" in before["existing_files"]
    job = api.post(HERE, {})
    assert (job.status_code, job.json()["state"]) == (202, "succeeded")
    home.pass_time(120)
    found = report(api)
    assert (found["run"]["verdict"], found["run"]["snapshot"]) == ("done", "zz")
    assert [one["name"] for one in found["options"]] == list(NAMES)
    assert found["recommended"]["compression"] in NAMES
    assert found["recommended"]["reason"]
    assert code(api.delete(f"{HERE}?dry_run=true")) == "has-ended"


def test_it_can_be_stopped(home: SimulatedHost, api: APIClient) -> None:
    assert code(api.delete(f"{HERE}?dry_run=true")) == "no-run"
    assert api.post(HERE, {}).json()["state"] == "succeeded"
    home.pass_time(20)
    assert report(api)["run"]["phase"] == "compressing"
    assert code(api.post(f"{HERE}?dry_run=true", {})) == "already-measuring"
    assert api.delete(HERE).json()["state"] == "succeeded"
    found = report(api)
    assert (found["run"]["verdict"], len(found["options"])) == ("stopped", len(NAMES))


def test_without_a_snapshot_it_is_refused(home: SimulatedHost, api: APIClient) -> None:
    assert code(api.post("/api/v1/compression/tank/new/", {})) == "no-snapshot"
    assert api.get("/api/v1/compression/tank/none/").status_code == 404

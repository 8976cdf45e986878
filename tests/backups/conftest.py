"""A machine with a pool, a folder of files and a disk to be unplugged."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from backups.following import follow
from host.commands.datasets.zfs import ZfsCreate
from host.simulated import SimulatedHost
from tests.conftest import refresh

PASSWORD = "apples and pears in june"
STICK = {"path": "/media/stick/backups"}


@pytest.fixture
def with_files(api: APIClient, simulated: SimulatedHost) -> SimulatedHost:
    """`tank/photos`, and what a family has in it."""
    pool = {
        "name": "tank", "vdevs": [{"role": "data", "layout": "mirror", "disks": free(api)[:2]}],
        "mountpoint": "/mnt/tank",
    }  # fmt: skip
    assert done(api.post("/api/v1/pools/", pool))["state"] == "succeeded"
    simulated.run(ZfsCreate(name="tank/photos"))
    simulated.furnish("tank/photos")
    refresh()
    return simulated


@pytest.fixture
def stick(api: APIClient, with_files: SimulatedHost) -> SimulatedHost:
    """The repository `stick`, and the backup `Photos` that goes there."""
    made = api.post("/api/v1/repositories/", {"name": "stick", "password": PASSWORD, "local": STICK})
    assert done(made)["state"] == "succeeded"
    backup = {"name": "Photos", "repository": "stick", "datasets": ["tank/photos"]}
    assert done(api.post("/api/v1/backups/", backup))["state"] == "succeeded"
    return with_files


def free(api: APIClient) -> list[str]:
    """Disks that nothing uses."""
    return [one["id"] for one in api.get("/api/v1/disks/").json()["results"] if one["used_by"] is None]


def done(answer: Any) -> dict[str, Any]:
    """The job that a write made."""
    assert answer.status_code == 202, answer.json()
    job: dict[str, Any] = answer.json()
    return job


def end(machine: SimulatedHost) -> None:
    """Let what runs end, and be noted."""
    machine.pass_time(60)
    follow(machine)

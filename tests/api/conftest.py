"""What the tests of the API share."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.frontend.conftest import free_disks as free
from tests.prepared import made_once


@pytest.fixture
def free_disks(api: APIClient) -> list[str]:
    """The ids of the disks that nothing claims, in the order of their bays."""
    return free()


@pytest.fixture
def six_disks(free_disks: list[str]) -> dict[str, Any]:
    """The request for `tank`, a raidz2 of all six disks."""
    return {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": free_disks}]}


@pytest.fixture
@made_once
def tank(api: APIClient, six_disks: dict[str, Any]) -> dict[str, Any]:
    """The pool `tank`, as it was answered after its creation."""
    job = api.post("/api/v1/pools/", six_disks).json()
    assert job["state"] == "succeeded", job
    pool: dict[str, Any] = api.get("/api/v1/pools/tank/").json()
    return pool

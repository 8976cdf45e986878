"""A replication whose source, or what it leaves out of it, is renamed: the same data goes, and no more."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from replication.models import TaskRow
from tests.api.test_replications import BASE, PHOTOS, ended, only, two
from tests.api.test_snapshots import do

__all__ = ["two"]  # a fixture


@pytest.fixture
def without_raw(two: APIClient) -> APIClient:
    do(two, "post", BASE, {**PHOTOS, "excluded": ["tank/photos/raw"]})
    return two


def sent(api: APIClient, simulated: SimulatedHost) -> list[str]:
    number = only(api)["id"]
    do(api, "post", f"{BASE}{number}/run/")
    done: dict[str, Any] = ended(api, simulated)
    assert done["last_verdict"] == "done", done
    return sorted(simulated.machine().pools["second"].datasets)


@pytest.mark.parametrize("changed", [False, True])
def test_what_is_left_out_stays_out_when_the_source_is_renamed(
    without_raw: APIClient, simulated: SimulatedHost, *, changed: bool
) -> None:
    do(without_raw, "post", "/api/v1/datasets/tank/photos/rename/", {"to": "tank/pictures"})
    found = only(without_raw)
    assert (found["source"], found["excluded"]) == ("tank/pictures", ["tank/pictures/raw"])
    if changed:
        do(without_raw, "patch", f"{BASE}{found['id']}/", {"enabled": True, "aim_hours": 48})
        assert TaskRow.objects.get().value["excluded"] == ["tank/pictures/raw"]
    assert sent(without_raw, simulated) == ["second", "second/photos"]


@pytest.mark.parametrize("changed", [False, True])
def test_what_is_left_out_stays_out_when_it_is_renamed(
    without_raw: APIClient, simulated: SimulatedHost, *, changed: bool
) -> None:
    if changed:
        do(without_raw, "patch", f"{BASE}{only(without_raw)['id']}/", {"excluded": ["tank/photos/raw"]})
    do(without_raw, "post", "/api/v1/datasets/tank/photos/raw/rename/", {"to": "tank/photos/a-b"})
    assert only(without_raw)["excluded"] == ["tank/photos/a-b"]
    assert sent(without_raw, simulated) == ["second", "second/photos"]


def test_what_a_replica_does_not_take_over_is_remembered_by_the_current_names(
    without_raw: APIClient, simulated: SimulatedHost
) -> None:
    do(without_raw, "patch", "/api/v1/datasets/tank/photos/", {"properties": {"quota": "1G"}})
    sent(without_raw, simulated)
    before = TaskRow.objects.get().value["kept"]
    assert "tank/photos" in before
    do(without_raw, "post", "/api/v1/datasets/tank/photos/rename/", {"to": "tank/pictures"})
    do(without_raw, "patch", "/api/v1/datasets/tank/pictures/", {"properties": {"quota": "2G"}})
    sent(without_raw, simulated)
    after = TaskRow.objects.get().value
    assert after["kept"]["tank/pictures"]["quota"] == str(2 << 30)
    assert after["source"] == "tank/pictures"

"""Counts of a pool's blocks through the API."""

from __future__ import annotations

from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from jobs import questions
from pools.metadata.see import QUESTION
from tests.api.test_compression import code, home

__all__ = ["home"]

HERE = "/api/v1/pools/tank/metadata/"


def test_blocks_are_counted_and_a_verdict_is_given(home: SimulatedHost, api: APIClient) -> None:
    before = api.get(HERE).json()
    assert (before["run"], before["advice"], before["sizes"]) == (None, None, [])
    assert code(api.delete(f"{HERE}?dry_run=true")) == "no-run"
    job = api.post(HERE, {})
    assert (job.status_code, job.json()["state"]) == (202, "succeeded")
    home.pass_time(10)
    assert code(api.post(f"{HERE}?dry_run=true", {})) == "already-measuring"
    during = api.get(HERE).json()["run"]
    assert during["verdict"] is None and 0 < during["share"] < 1 and during["left_s"] > 0
    home.pass_time(60)
    questions.forget(QUESTION)  # answered a moment ago
    found = api.get(HERE).json()
    run = found["run"]
    assert run["verdict"] == "done" and run["metadata"]["count"] > 0
    assert found["advice"]["verdict"] == "does-little"
    assert [one["small_blocks"] for one in found["sizes"]] == [0, 4096, 8192, 16384, 32768, 65536]
    assert found["sizes"][0]["today_bytes"] == run["metadata"]["allocated_bytes"]
    assert code(api.delete(f"{HERE}?dry_run=true")) == "has-ended"


def test_it_can_be_stopped(home: SimulatedHost, api: APIClient) -> None:
    api.post(HERE, {})
    home.pass_time(10)
    assert api.delete(HERE).json()["state"] == "succeeded"
    run = api.get(HERE).json()["run"]
    assert (run["verdict"], run["metadata"]["count"]) == ("stopped", 0)


def test_a_pool_that_is_not_here_is_none(home: SimulatedHost, api: APIClient) -> None:
    assert api.get("/api/v1/pools/none/metadata/").status_code == 404
    assert code(api.post("/api/v1/pools/none/metadata/", {})) == "unknown-pool"

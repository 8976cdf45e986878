"""How fast the network is, through the API."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from jobs import cache, questions
from jobs.series.collecting import kernel_files
from machine.network_speed.following import follow
from machine.network_speed.see import QUESTION
from tests.api.test_compression import code

HERE = "/api/v1/network/speed/"


def now(api: APIClient) -> Any:
    questions.forget(QUESTION)  # answered a moment ago
    return api.get(HERE).json()


def kept(simulated: SimulatedHost) -> int:
    inventory = cache.current()
    assert inventory is not None
    return follow(simulated, inventory, kernel_files())


def test_the_network_is_measured_and_the_result_kept(simulated: SimulatedHost, api: APIClient) -> None:
    before = now(api)
    assert (before["run"], before["results"]) == (None, [])
    assert code(api.delete(f"{HERE}?dry_run=true")) == "no-run"
    assert api.post(HERE, {"host": "192.168.1.20"}).json()["state"] == "succeeded"
    simulated.pass_time(12)
    assert code(api.post(f"{HERE}listen/?dry_run=true", {})) == "already-measuring"
    assert kept(simulated) == 0
    during = now(api)["run"]
    assert (during["verdict"], during["phase"], len(during["transfers"])) == (None, "receiving", 1)
    simulated.pass_time(20)
    assert kept(simulated) == 1 and kept(simulated) == 0
    (result,) = now(api)["results"]
    assert result["speed"]["host"] == "192.168.1.20" and result["interface"] == "eno1"
    assert result["mbit"] == 1000
    assert [one["transfer"]["direction"] for one in result["transfers"]] == ["sent", "received"]
    assert result["transfers"][0]["of_link"] == 0.941
    assert result["transfers"][0]["bottleneck"].startswith("The link: ")


def test_a_second_one_at_once_loses_nothing_of_the_first(simulated: SimulatedHost, api: APIClient) -> None:
    for host in ("192.168.1.20", "192.168.1.21"):
        assert api.post(HERE, {"host": host}).json()["state"] == "succeeded"
        simulated.pass_time(30)
    assert kept(simulated) == 1
    found = [(one["speed"]["host"], one["interface"]) for one in now(api)["results"]]
    assert found == [("192.168.1.21", "eno1"), ("192.168.1.20", "eno1")]


def test_it_listens_and_can_be_stopped(simulated: SimulatedHost, api: APIClient) -> None:
    assert api.post(f"{HERE}listen/", {}).json()["state"] == "succeeded"
    simulated.pass_time(60)
    during = now(api)["run"]
    assert (during["phase"], len(during["transfers"])) == ("listening", 1)
    assert api.delete(HERE).json()["state"] == "succeeded"
    assert kept(simulated) == 1
    (result,) = now(api)["results"]
    assert (result["speed"]["host"], result["speed"]["verdict"]) == ("", "done")


def test_wrong_values_are_named(simulated: SimulatedHost, api: APIClient) -> None:
    for field, value in (
        ("host", ""), ("host", "a b"), ("host", "localhost"), ("host", "127.0.0.1"), ("host", "192.168.1.10"),
        ("host", "nas"), ("host", "169.254.169.254"), ("host", "-x"), ("port", 0), ("port", 80),
        ("port", 70000),
    ):  # fmt: skip
        answer = api.post(HERE, {"host": "192.168.1.20", field: value})
        assert answer.status_code == 422, (field, value)
        assert answer.json()["findings"][0]["field"] == field

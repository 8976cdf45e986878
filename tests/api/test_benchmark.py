"""How fast a pool is, through the API."""

from __future__ import annotations

from typing import Any

import msgspec
from rest_framework.test import APIClient

from host.commands.pools.benchmark import RemoveBenchmarkDataset
from host.commands.system.power import DELAY_S
from host.simulated import SimulatedHost
from host.simulated.system.power import START_S
from jobs import questions
from pools.benchmark.following import follow
from pools.benchmark.see import QUESTION
from pools.models import BenchmarkRow
from tests.api.test_compression import code, home

__all__ = ["home"]

LEFT = "tank/.nasweb-benchmark"
HERE = "/api/v1/pools/tank/benchmark/"


def now(api: APIClient) -> Any:
    questions.forget(QUESTION)  # answered a moment ago
    return api.get(HERE).json()


def measured(home: SimulatedHost, api: APIClient, **asked: Any) -> Any:
    assert api.post(HERE, asked).json()["state"] == "succeeded"
    home.pass_time(80)
    assert follow(home) == 1
    return now(api)["results"][0]


def test_a_pool_is_measured_and_the_result_kept(home: SimulatedHost, api: APIClient) -> None:
    before = now(api)
    assert (before["run"], before["results"], before["expected"]) == (None, [], None)
    assert code(api.delete(f"{HERE}?dry_run=true")) == "no-run"
    job = api.post(HERE, {})
    assert (job.status_code, job.json()["state"]) == (202, "succeeded")
    home.pass_time(30)
    assert code(api.post(f"{HERE}?dry_run=true", {})) == "already-measuring"
    assert follow(home) == 0
    during = now(api)["run"]
    assert during["verdict"] is None and 0 < during["share"] < 1 and during["left_s"] > 0
    assert during["doing"] in {"write", "read"}
    home.pass_time(60)
    assert follow(home) == 1 and follow(home) == 0
    found = now(api)
    (result,) = found["results"]
    assert result["benchmark"]["verdict"] == "done" and result["since_before"] == []
    assert [one["result"]["part"] for one in result["parts"]] == ["write", "read"]
    write = result["parts"][0]
    assert write["result"]["command"][0] == "fio" and write["bottleneck"].startswith("The disks: ")
    allowed = found["expected"]["write_bytes_per_s"]
    assert write["of_expected"] == round(write["result"]["bytes_per_s"] / allowed, 3)
    assert write["against_before"] is None
    assert code(api.delete(f"{HERE}?dry_run=true")) == "has-ended"


def test_results_are_compared_with_those_of_the_same_choices(home: SimulatedHost, api: APIClient) -> None:
    measured(home, api)
    other = measured(home, api, record_bytes=1 << 20)
    assert [one["against_before"] for one in other["parts"]] == [None, None]
    row = BenchmarkRow.objects.get(pk=now(api)["results"][1]["id"])
    row.state |= {"openzfs": "zfs-kmod-2.2.0"}
    assert row.report is not None
    row.report["parts"][0]["bytes_per_s"] /= 2
    row.save()
    again = measured(home, api)
    assert [one["against_before"] for one in again["parts"]] == [2.0, 1.0]
    assert again["since_before"][0].startswith("OpenZFS was zfs-kmod-2.2.0 and is ")


def test_a_second_one_at_once_loses_nothing_of_the_first(home: SimulatedHost, api: APIClient) -> None:
    for profile in ("sequential", "mixed"):
        assert api.post(HERE, {"profile": profile}).json()["state"] == "succeeded"
        home.pass_time(80)
    assert follow(home) == 1
    kept = [(one["benchmark"]["profile"], one["benchmark"]["verdict"]) for one in now(api)["results"]]
    assert kept == [("mixed", "done"), ("sequential", "done")]


def test_it_can_be_stopped_and_what_was_measured_is_kept(home: SimulatedHost, api: APIClient) -> None:
    api.post(HERE, {"profile": "sync-writes"})
    home.pass_time(55)
    assert api.delete(HERE).json()["state"] == "succeeded"
    assert now(api)["run"]["verdict"] == "stopped"
    assert follow(home) == 1
    (result,) = now(api)["results"]
    assert [one["result"]["part"] for one in result["parts"]] == ["one-writer", "sixteen-writers"]


def test_a_restart_ends_it_and_its_dataset_is_destroyed(home: SimulatedHost, api: APIClient) -> None:
    api.post(HERE, {})
    home.pass_time(10)
    assert api.post("/api/v1/system/restart/").status_code == 202
    home.pass_time(DELAY_S + START_S)
    before = len(home.ran())
    assert follow(home) == 1
    assert ["zfs", "destroy", "-r", "tank/.nasweb-benchmark"] in home.ran()[before:]
    row = BenchmarkRow.objects.get()
    assert row.verdict == "failed" and row.report is not None
    assert row.report["words"].startswith("It ended without a word")


def cut_off(home: SimulatedHost, api: APIClient, **values: str) -> None:
    """A benchmark that a restart ended, with a dataset of its name."""
    api.post(HERE, {})
    home.pass_time(10)
    assert api.post("/api/v1/system/restart/").status_code == 202
    home.pass_time(DELAY_S + START_S)
    with home.change() as machine:
        datasets = machine.pools["tank"].datasets
        datasets[LEFT] = msgspec.structs.replace(datasets["tank/new"], name=LEFT, values=values)


def there(home: SimulatedHost) -> bool:
    with home.change() as machine:
        return LEFT in machine.pools["tank"].datasets


def test_what_a_benchmark_left_is_destroyed_once_that_can_be(home: SimulatedHost, api: APIClient) -> None:
    cut_off(home, api, **{"nasweb:benchmark": "on"})
    busy = f"cannot destroy '{LEFT}': dataset is busy\n"
    home.fail_next(RemoveBenchmarkDataset, stderr=busy)
    assert follow(home) == 0 and there(home)
    assert BenchmarkRow.objects.get().verdict == ""
    assert follow(home) == 1 and not there(home)
    assert BenchmarkRow.objects.get().verdict == "failed"


def test_what_no_benchmark_made_stays(home: SimulatedHost, api: APIClient) -> None:
    cut_off(home, api)
    assert follow(home) == 1 and there(home)
    assert BenchmarkRow.objects.get().verdict == "failed"


def test_wrong_values_are_named(home: SimulatedHost, api: APIClient) -> None:
    for field, value in (
        ("profile", "fastest"), ("record_bytes", 1000), ("compression", "zstd-99"), ("clients", 0),
        ("clients", 65), ("size_bytes", 1), ("size_bytes", 1 << 50), ("disks", "yes"),
    ):  # fmt: skip
        answer = api.post(HERE, {field: value})
        assert answer.status_code == 422, (field, value)
        assert answer.json()["findings"][0]["field"] == field
    assert code(api.post("/api/v1/pools/none/benchmark/", {})) == "unknown-pool"
    assert api.get("/api/v1/pools/none/benchmark/").status_code == 404


def test_compression_knows_how_fast_the_disks_write(home: SimulatedHost, api: APIClient) -> None:
    there = "/api/v1/compression/tank/home/"
    assert api.post(there, {}).json()["state"] == "succeeded"
    home.pass_time(120)
    assert api.get(there).json()["disks_bytes_per_s"] is None
    measured(home, api, profile="small-files")
    assert api.get(there).json()["disks_bytes_per_s"] is None
    measured(home, api)
    assert api.get(there).json()["disks_bytes_per_s"] == 310e6
    measured(home, api, compression="gzip-6")  # which the processors hold up, not the disks
    measured(home, api, record_bytes=4096)
    for row in BenchmarkRow.objects.order_by("-pk")[:2]:
        assert row.report is not None
        row.report["parts"][0]["bytes_per_s"] = 1e6
        row.save()
    assert api.get(there).json()["disks_bytes_per_s"] == 310e6


def test_a_result_is_explained_by_the_layout_of_its_time(home: SimulatedHost, api: APIClient) -> None:
    (part, _) = measured(home, api)["parts"]
    assert part["of_expected"] is not None
    row = BenchmarkRow.objects.get()
    row.state["vdevs"] = [*row.state["vdevs"], "A data vdev (one disk)"]
    row.save()
    assert [one["of_expected"] for one in now(api)["results"][0]["parts"]] == [None, None]
